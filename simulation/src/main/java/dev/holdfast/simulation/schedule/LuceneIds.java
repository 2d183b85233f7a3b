package dev.holdfast.simulation.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import org.apache.lucene.util.StringHelper;

/// The ids that Lucene gives to segments and commits are part of a history: they are in the blobs,
/// whose lengths depend on how well they compress. Lucene draws the first one from the machine and
/// counts on; here each history counts from its seed.
public final class LuceneIds {
  private static final int SEED_BITS = 64;
  private static final VarHandle NEXT;

  static {
    // Lucene's hash tables are the same in each process, too. Read when StringHelper is loaded.
    System.setProperty("tests.seed", "5EED");
    try {
      NEXT =
          MethodHandles.privateLookupIn(StringHelper.class, MethodHandles.lookup())
              .findStaticVarHandle(StringHelper.class, "nextId", BigInteger.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of Lucene draws its ids otherwise", e);
    }
  }

  private LuceneIds() {}

  /// From now on ids are those of that seed's history.
  public static void areOf(long seed) {
    NEXT.setVolatile(BigInteger.valueOf(seed).and(mask()).shiftLeft(SEED_BITS));
  }

  private static BigInteger mask() {
    return BigInteger.ONE.shiftLeft(SEED_BITS).subtract(BigInteger.ONE);
  }
}
