/// Restored shards that are read in their snapshot until the store has copied what they begin with
/// (decision 038): which blob is read instead of which, and who has them copied.
@NullMarked
package dev.holdfast.indexing.lent;

import org.jspecify.annotations.NullMarked;
