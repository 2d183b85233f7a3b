/// How documents of a shard are scored and collected, below hits and aggregations: segment by
/// segment in windows, so that a search which is cancelled or out of time ends soon; terms looked
/// up in all segments at once, as reads of far-away blobs then take the time of one (§3.2); whole
/// segments and point trees counted without a look at each document. Hot code: nothing is allocated
/// a document. One thread runs one shard.
@NullMarked
package dev.holdfast.query.collect;

import org.jspecify.annotations.NullMarked;
