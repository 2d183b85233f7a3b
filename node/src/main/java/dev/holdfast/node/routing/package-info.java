/// Requests find the node that can do them (§3): writes the owner of the shard, searches a copy;
/// here when it is here, by the network otherwise.
@NullMarked
package dev.holdfast.node.routing;

import org.jspecify.annotations.NullMarked;
