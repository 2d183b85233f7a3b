/// Calls between nodes over HTTP/2, on the port that clients use.
@NullMarked
package dev.holdfast.node.rpc;

import org.jspecify.annotations.NullMarked;
