/// Tests of the HTTP server over a real socket.
@NullMarked
package dev.holdfast.http.filter;

import org.jspecify.annotations.NullMarked;
