package dev.holdfast.indexing.resend;

import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/// Operations that follow each other in a write and in the shard, and how they ended: what their
/// client is told, without the documents.
///
/// @param ordinal the place of the first in its write
/// @param seqNo of the first
/// @param outcomes of each a byte for its effect and its version, seven bits a byte; null when all
///   were created as version 1
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record RecentRun(
    int ordinal, int count, long seqNo, long primaryTerm, byte @Nullable [] outcomes) {
  /// The first four, in an order that is stored: the place of each is its code.
  private static final Effect[] EFFECTS = {
    Effect.CREATED, Effect.UPDATED, Effect.DELETED, Effect.NOT_FOUND
  };

  public boolean holds(int wanted) {
    return wanted >= ordinal && wanted < ordinal + count;
  }

  /// The result of one operation.
  public WriteResult.Done done(String id, int wanted) {
    Effect effect = Effect.CREATED;
    long version = 1;
    if (outcomes != null) {
      int position = 0;
      for (int i = ordinal; i <= wanted; i++) {
        effect = EFFECTS[outcomes[position++]];
        version = 0;
        for (int shift = 0; ; shift += 7) {
          byte b = outcomes[position++];
          version |= (long) (b & 0x7f) << shift;
          if (b >= 0) {
            break;
          }
        }
      }
    }
    return new WriteResult.Done(id, effect, seqNo + wanted - ordinal, primaryTerm, version, null);
  }

  /// Estimated memory.
  int bytes() {
    return 48 + (outcomes == null ? 0 : outcomes.length);
  }

  /// Puts operations together, as many as follow each other.
  static final class Builder {
    private final int ordinal;
    private final long seqNo;
    private final long primaryTerm;
    private int count;
    private @Nullable ByteArrayOutputStream outcomes;

    Builder(int ordinal, long seqNo, long primaryTerm) {
      this.ordinal = ordinal;
      this.seqNo = seqNo;
      this.primaryTerm = primaryTerm;
    }

    /// Returns whether it follows, and is taken.
    boolean add(int ordinal, long seqNo, long version, Effect effect) {
      if (ordinal != this.ordinal + count || seqNo != this.seqNo + count) {
        return false;
      }
      boolean isPlain = version == 1 && effect == Effect.CREATED;
      if (outcomes == null && !isPlain) {
        outcomes = new ByteArrayOutputStream(2 * count + 16);
        for (int i = 0; i < count; i++) {
          write(outcomes, 1, Effect.CREATED);
        }
      }
      if (outcomes != null) {
        write(outcomes, version, effect);
      }
      count++;
      return true;
    }

    private static void write(ByteArrayOutputStream out, long version, Effect effect) {
      out.write(
          switch (effect) {
            case CREATED -> 0;
            case UPDATED -> 1;
            case DELETED -> 2;
            case NOT_FOUND -> 3;
            case NOOP -> throw new IllegalArgumentException("a no-op is no operation");
          });
      long rest = version;
      while ((rest & ~0x7fL) != 0) {
        out.write((int) (rest | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }

    RecentRun built() {
      return new RecentRun(
          ordinal, count, seqNo, primaryTerm, outcomes == null ? null : outcomes.toByteArray());
    }
  }
}
