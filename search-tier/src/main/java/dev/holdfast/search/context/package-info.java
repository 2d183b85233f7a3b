/// Scrolls and points in time as their coordinator sees them: ids that any node understands, the
/// two contexts of each shard of a scroll and how far the client is, pins that keep a point in time
/// when its nodes die (§6.1). Blocks on other nodes; each wait has a bound.
@NullMarked
package dev.holdfast.search.context;

import org.jspecify.annotations.NullMarked;
