package dev.holdfast.http.server;

import dev.holdfast.world.ByteSize;

/// How much the HTTP edge takes.
///
/// @param contentLengthMax `http.max_content_length`: the longest body, compressed or not
/// @param connectionsMax open connections; more are closed at once
public record HttpLimits(ByteSize contentLengthMax, int connectionsMax) {
  public static final HttpLimits DEFAULT = new HttpLimits(ByteSize.mib(100), 10_000);
}
