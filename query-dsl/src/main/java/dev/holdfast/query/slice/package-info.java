/// Shares of a shard for those who read all of it side by side (sliced scrolls, by-query tasks),
/// and the part of a shard that an alias or a slice shows. Every document is in exactly one share,
/// whatever the number of segments.
@NullMarked
package dev.holdfast.query.slice;

import org.jspecify.annotations.NullMarked;
