/// The fetch phase: documents of one shard as hits, with source, fields, highlights, explanations
/// and the hits inside hits. Reads only the documents of the page; those of one segment in order.
@NullMarked
package dev.holdfast.query.fetch;

import org.jspecify.annotations.NullMarked;
