package dev.holdfast.rpc;

import dev.holdfast.world.ByteSize;
import java.time.Duration;

/// Bounds of calls between nodes.
///
/// @param bodyMax the longest request or answer; a chunk of a blob is 16 MiB at most
/// @param callsPerPeerMax calls under way to one other node; more wait, until their deadline
/// @param servedMax calls that are answered at a time; more are refused with 429
/// @param servedBytesMax bytes of requests that are being answered; more are refused with 429
/// @param connectMax how long a connection may take
/// @param isCompressed whether bodies of [#COMPRESSED_BYTES_MIN] and more travel compressed
public record RpcConfig(
    ByteSize bodyMax,
    int callsPerPeerMax,
    int servedMax,
    ByteSize servedBytesMax,
    Duration connectMax,
    boolean isCompressed) {
  static final int COMPRESSED_BYTES_MIN = 64 << 10;

  /// @param heapBytes the largest heap of this process
  public static RpcConfig of(long heapBytes, boolean isCompressed) {
    return new RpcConfig(
        ByteSize.mib(128),
        256,
        2048,
        new ByteSize(Math.max(256L << 20, heapBytes / 8)),
        Duration.ofSeconds(2),
        isCompressed);
  }
}
