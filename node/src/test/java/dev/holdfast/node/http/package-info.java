/// Tests of the HTTP edge over a real socket.
@NullMarked
package dev.holdfast.node.http;

import org.jspecify.annotations.NullMarked;
