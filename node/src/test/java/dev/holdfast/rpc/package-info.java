/// Tests of calls between nodes over real sockets.
@NullMarked
package dev.holdfast.rpc;

import org.jspecify.annotations.NullMarked;
