package dev.holdfast.translog;

import dev.holdfast.world.ByteSize;
import java.time.Duration;

/// How the log batches (§5, and group commit).
///
/// @param flushEvery an operation waits at most so long before its file is sealed, when the request
///   budget is spent (paper: 200 ms)
/// @param fileBytesMax a file is sealed when it holds so many bytes of operations (paper: 16 MiB)
/// @param uploadsMax files in flight at once
/// @param putsPerSecond requests a second that the node may spend in the long run; infinite where a
///   PUT costs nothing
/// @param putsBurst requests that may be saved up
/// @param bufferedBytesMax bytes not yet durable, beyond which writes are refused
/// @param heldBytesMax the same while a file waits for money: it grows meanwhile
/// @param compresses whether frames are zstd: bytes that travel are worth the processor's time,
///   bytes for a local disk are not
/// @param silenceMax refuse writes when the oldest file has waited so long for the store
/// @param refusedMax the same while the store answers and refuses it: waiting alone may not help
public record LogConfig(
    Duration flushEvery,
    ByteSize fileBytesMax,
    int uploadsMax,
    double putsPerSecond,
    int putsBurst,
    ByteSize bufferedBytesMax,
    ByteSize heldBytesMax,
    boolean compresses,
    Duration silenceMax,
    Duration refusedMax) {

  /// For stores that charge for a PUT.
  public static LogConfig defaults() {
    return new LogConfig(
        Duration.ofMillis(200),
        ByteSize.mib(16),
        2,
        5,
        10,
        ByteSize.mib(96),
        ByteSize.mib(64),
        true,
        Duration.ofSeconds(10),
        Duration.ofSeconds(2));
  }

  /// For a local folder, where a PUT costs an fsync and no money: only the two uploads in flight
  /// limit it.
  public static LogConfig unmetered() {
    LogConfig defaults = defaults();
    return new LogConfig(
        defaults.flushEvery,
        defaults.fileBytesMax,
        defaults.uploadsMax,
        Double.POSITIVE_INFINITY,
        defaults.putsBurst,
        defaults.bufferedBytesMax,
        defaults.heldBytesMax,
        false,
        defaults.silenceMax,
        defaults.refusedMax);
  }

  /// The same within so much memory.
  public LogConfig withHeldBytesMax(ByteSize max) {
    return new LogConfig(
        flushEvery,
        fileBytesMax,
        uploadsMax,
        putsPerSecond,
        putsBurst,
        bufferedBytesMax,
        max,
        compresses,
        silenceMax,
        refusedMax);
  }
}
