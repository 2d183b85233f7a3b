package dev.holdfast.codec.bloom;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.lucene.util.BytesRef;

/// The 64-bit hash of a term that its bloom filter is made with; written files depend on it.
final class TermHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final long FACTOR = 0xD6E8FEB86659FD93L;

  private TermHash() {}

  static long of(BytesRef term) {
    byte[] bytes = term.bytes;
    int at = term.offset;
    int end = at + term.length;
    long hash = term.length * SEED;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    long rest = 0;
    for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
      rest |= (bytes[at] & 0xFFL) << shift;
    }
    return mix(mix(hash ^ rest) + SEED);
  }

  /// The two halves of a 128-bit product, folded.
  private static long mix(long value) {
    return (value * FACTOR) ^ Math.unsignedMultiplyHigh(value, FACTOR) ^ (value >>> 29);
  }
}
