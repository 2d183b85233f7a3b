package dev.holdfast.http.server;

import dev.holdfast.http.PagePolicy;
import dev.holdfast.world.ByteSize;
import java.time.Duration;

/// How much the HTTP edge takes.
///
/// @param contentLengthMax `http.max_content_length`: the longest body, compressed or not
/// @param connectionsMax open connections; more are closed at once
/// @param pages what pages in browsers may do
/// @param lineLengthMax the longest request line
/// @param headersLengthMax of all header fields of a request
/// @param headersTimeMax how long the head of a request may take from its first byte
/// @param stallMax how long a body that is sent, or an answer that is read, may make no progress
public record HttpLimits(
    ByteSize contentLengthMax,
    int connectionsMax,
    PagePolicy pages,
    ByteSize lineLengthMax,
    ByteSize headersLengthMax,
    Duration headersTimeMax,
    Duration stallMax) {
  public static final int CONNECTIONS_MAX = 10_000;

  /// Of the heap, what there is for each connection: one on which nothing happens takes some 3 KiB.
  private static final int CONNECTION_HEAP_BYTES = 64 << 10;

  private static final ByteSize HEAD_MAX = ByteSize.kib(64);
  private static final Duration HEADERS_TIME_MAX = Duration.ofSeconds(30);
  private static final Duration STALL_MAX = Duration.ofSeconds(60);

  public static final HttpLimits DEFAULT =
      new HttpLimits(ByteSize.mib(100), CONNECTIONS_MAX, PagePolicy.DEFAULT);

  public HttpLimits(ByteSize contentLengthMax, int connectionsMax) {
    this(contentLengthMax, connectionsMax, PagePolicy.DEFAULT);
  }

  public HttpLimits(ByteSize contentLengthMax, int connectionsMax, PagePolicy pages) {
    this(contentLengthMax, connectionsMax, pages, HEAD_MAX, HEAD_MAX, HEADERS_TIME_MAX, STALL_MAX);
  }

  /// Connections that a heap bears, and no more than [#CONNECTIONS_MAX].
  ///
  /// @param heapBytes the largest heap of this process
  public static int connectionsMax(long heapBytes) {
    return (int) Math.min(CONNECTIONS_MAX, heapBytes / CONNECTION_HEAP_BYTES);
  }

  /// The same with other lengths of a request's head.
  public HttpLimits withHead(ByteSize lineMax, ByteSize headersMax) {
    return new HttpLimits(
        contentLengthMax, connectionsMax, pages, lineMax, headersMax, headersTimeMax, stallMax);
  }

  /// The same with other patience.
  public HttpLimits withPatience(Duration headers, Duration stall) {
    return new HttpLimits(
        contentLengthMax, connectionsMax, pages, lineLengthMax, headersLengthMax, headers, stall);
  }
}
