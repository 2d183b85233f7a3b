package dev.holdfast.simulation.fortnight;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Fortnights of many seeds, and which of them break a promise.
public final class Fortnights {
  private static final int PROGRESS_SEEDS = 20;

  private Fortnights() {}

  /// @return how many seeds failed
  public static int run(
      long from,
      int seeds,
      FortnightPlant plant,
      boolean keepsGoing,
      PrintWriter out,
      @Nullable Consumer<String> narrator)
      throws IOException {
    long startNanos = System.nanoTime();
    int failed = 0;
    int count = 0;
    FortnightOutcome all = null;
    for (long seed = from; seed < from + seeds; seed++) {
      FortnightOutcome outcome = of(seed, plant, narrator);
      all = all == null ? outcome : all.plus(outcome);
      count++;
      if (!outcome.isGood()) {
        failed++;
        outcome
            .violations()
            .forEach(violation -> out.println("seed " + outcome.seed() + " " + violation));
        out.println(
            "replay: ./holdfast simulate --fortnight --seeds 1 --from "
                + seed
                + (plant == FortnightPlant.NONE ? "" : " --plant " + plant.option()));
        if (!keepsGoing) {
          break;
        }
      }
      if (count % PROGRESS_SEEDS == 0) {
        out.println(sentence(count, failed, startNanos, all));
      }
    }
    out.println(sentence(count, failed, startNanos, all));
    return failed;
  }

  /// A seed is a fortnight without nodes, and one with them.
  private static FortnightOutcome of(
      long seed, FortnightPlant plant, @Nullable Consumer<String> narrator) throws IOException {
    if (plant.hasNodes()) {
      return ClusterFortnight.of(seed, plant, Fortnight.DAYS, narrator);
    }
    FortnightOutcome bare = Fortnight.of(seed, plant);
    return bare.isGood() && plant == FortnightPlant.NONE
        ? bare.and(ClusterFortnight.of(seed, plant, Fortnight.DAYS, narrator))
        : bare;
  }

  private static String sentence(
      int count, int failed, long startNanos, @Nullable FortnightOutcome all) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return String.format(
        Locale.ROOT, "%d fortnights in %.1f s: %d failed; %s", count, seconds, failed, all);
  }
}
