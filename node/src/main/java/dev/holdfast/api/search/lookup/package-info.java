/// What searches say of documents elsewhere, replaced by the content of those documents before any
/// shard is asked: `terms` look-ups, liked documents, indexed shapes, percolated documents. Called
/// by the coordinating node's APIs, from the thread of the request; a document or index that is
/// missing is a `Refusal`. Beside them, the stored fields of a document that was read by its id,
/// and the shards that a request's filter is about.
@NullMarked
package dev.holdfast.api.search.lookup;

import org.jspecify.annotations.NullMarked;
