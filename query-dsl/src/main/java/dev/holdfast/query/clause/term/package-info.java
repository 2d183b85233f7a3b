/// Queries on values as they are indexed: terms, ranges, ids, existence, and patterns over terms.
/// The field type makes the Lucene query; what is here finds the type, refuses fields that cannot
/// be searched, and has the words of the refusals. Expensive kinds ask
/// [dev.holdfast.query.QueryContext#beExpensive] first.
@NullMarked
package dev.holdfast.query.clause.term;

import org.jspecify.annotations.NullMarked;
