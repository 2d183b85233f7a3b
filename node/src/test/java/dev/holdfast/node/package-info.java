/// Tests of whole nodes: real store, real sockets.
@NullMarked
package dev.holdfast.node;

import org.jspecify.annotations.NullMarked;
