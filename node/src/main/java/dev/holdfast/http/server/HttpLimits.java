package dev.holdfast.http.server;

import dev.holdfast.http.PagePolicy;
import dev.holdfast.world.ByteSize;

/// How much the HTTP edge takes.
///
/// @param contentLengthMax `http.max_content_length`: the longest body, compressed or not
/// @param connectionsMax open connections; more are closed at once
/// @param pages what pages in browsers may do
public record HttpLimits(ByteSize contentLengthMax, int connectionsMax, PagePolicy pages) {
  public static final int CONNECTIONS_MAX = 10_000;
  public static final HttpLimits DEFAULT =
      new HttpLimits(ByteSize.mib(100), CONNECTIONS_MAX, PagePolicy.DEFAULT);

  public HttpLimits(ByteSize contentLengthMax, int connectionsMax) {
    this(contentLengthMax, connectionsMax, PagePolicy.DEFAULT);
  }
}
