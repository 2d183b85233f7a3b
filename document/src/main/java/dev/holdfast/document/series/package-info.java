/// What documents of indices of time series are told apart by: dimensions, times, and the ids made
/// of them. Whoever routes a write asks once; the shard has `_tsid` from the id.
@NullMarked
package dev.holdfast.document.series;

import org.jspecify.annotations.NullMarked;
