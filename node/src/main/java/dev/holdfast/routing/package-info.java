/// Requests find the node that can do them (§3): writes and real-time gets go to the owner of the
/// shard, here or by a call; they wait, within their deadline, while the shard has no owner, moves
/// or recovers.
///
/// A write whose answer was lost is sent again under its name (the node that routes it and its
/// number, decision 016), so that it is done once. A member that gives no sign of life is passed
/// over by calls that can be made elsewhere, long before their deadlines ([RoutedIndexing] is
/// patient with owners, because what may have been done is not known until they answer).
/// Thread-safe; callers block.
@NullMarked
package dev.holdfast.routing;

import org.jspecify.annotations.NullMarked;
