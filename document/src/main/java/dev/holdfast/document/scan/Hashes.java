package dev.holdfast.document.scan;

/// The hash of a short run of bytes (member names), eight at a step.
public final class Hashes {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private Hashes() {}

  /// Well mixed in its low bits.
  public static int of(byte[] bytes, int offset, int length) {
    long hash = length;
    int at = offset;
    int end = offset + length;
    for (; at + Words.BYTES <= end; at += Words.BYTES) {
      hash = (hash ^ Words.at(bytes, at)) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    for (; at < end; at++) {
      hash = (hash ^ bytes[at]) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    return (int) (hash ^ (hash >>> 29));
  }
}
