/// APIs that write and read documents by id. A `_bulk` is parsed once, split by shard, and each
/// part sent to the owner of its shard side by side; a row that is refused does not hold up the
/// others. A write is answered when it is durable (§5).
@NullMarked
package dev.holdfast.api.document;

import org.jspecify.annotations.NullMarked;
