package dev.holdfast.script.runtime;

import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Nondeterminism;

/// As [BoundedStatics], of methods that answer differently each time: what is computed with them is
/// kept for nobody.
@FromTheWorld // scripts may ask for the time and for chance, as Elasticsearch's may
public final class ChanceStatics {
  private ChanceStatics() {}

  public static double Math_random() {
    Nondeterminism.note();
    return Math.random();
  }

  public static double StrictMath_random() {
    Nondeterminism.note();
    return StrictMath.random();
  }

  public static long System_currentTimeMillis() {
    Nondeterminism.note();
    return System.currentTimeMillis();
  }

  public static long System_nanoTime() {
    Nondeterminism.note();
    return System.nanoTime();
  }
}
