/// A shard's batches on their way into the store (§4.1): the one that commits are appended to,
/// those that wait, those whose upload the search tier has not heard of; at every moment a batch
/// can be found. Uploads go oldest first, one at a time, never before their operations are durable.
/// Local files go when the search tier has heard.
@NullMarked
package dev.holdfast.indexing.upload;

import org.jspecify.annotations.NullMarked;
