/// Tests of what restored shards borrow of their snapshots.
@NullMarked
package dev.holdfast.indexing.lent;

import org.jspecify.annotations.NullMarked;
