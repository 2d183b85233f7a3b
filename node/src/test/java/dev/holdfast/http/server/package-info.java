/// Tests of the HTTP server over a real socket.
@NullMarked
package dev.holdfast.http.server;

import org.jspecify.annotations.NullMarked;
