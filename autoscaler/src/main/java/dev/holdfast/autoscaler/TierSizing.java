package dev.holdfast.autoscaler;

import dev.holdfast.autoscaler.SizeDecision.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Decides how large a tier should be (§7). Larger at once, as soon as load, memory or cache do not
/// fit. Smaller by one rung of the ladder at a time, after a smaller size with headroom would have
/// been enough for the whole quiet time. What cannot be believed changes nothing: the rest is what
/// the load is at least, which may make a tier larger, never smaller.
public final class TierSizing {
  /// A tier that nobody asks is idle when it does less, in threads: reports fade, a merge is more.
  private static final double LOAD_MIN = 0.1;

  private static final double GIBIBYTE = 1L << 30;

  private final SizeLadder ladder;
  private final ScalingPolicy policy;

  public TierSizing(SizeLadder ladder, ScalingPolicy policy) {
    this.ladder = ladder;
    this.policy = policy;
  }

  /// @param needs what the tier's nodes say
  /// @param current what the tier has now; counts only for the first decision
  /// @param history of the decision before, [SizeHistory#NONE] at first
  /// @param nowMillis of a monotonic clock
  public SizeDecision decide(
      TierNeeds needs, TierSize current, SizeHistory history, long nowMillis) {
    return new Pass(needs, current, history, nowMillis).decision();
  }

  /// One decision.
  private final class Pass {
    private final TierNeeds needs;
    private final SizeHistory history;
    private final long now;
    private final TierSize before;
    private final int base;
    private final String doubt;
    private final boolean isSilent;
    private final List<ScalingSignal> signals = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    Pass(TierNeeds needs, TierSize current, SizeHistory history, long now) {
      this.needs = needs;
      this.history = history;
      this.now = now;
      before = history.asked() == null ? current : history.asked();
      base = ladder.holding(before);
      isSilent = needs.nodes().isEmpty() && before.nodes() > 0;
      doubt = isSilent ? "no node has said anything" : needs.doubt();
      if (ladder.at(base).nodes() < before.nodes()) {
        words.add("limit: no more than " + ladder.at(base) + " allowed, " + before + " before");
      } else if (ladder.at(base).nodes() > before.nodes() && base == 0) {
        words.add("limit: no less than " + ladder.at(base) + " allowed, " + before + " before");
      }
    }

    SizeDecision decision() {
      if (canBeNothing() && isIdle()) {
        return nothing();
      }
      int up = enough(0, signals);
      if (up > base) {
        return larger(Math.min(up, ladder.top()));
      }
      if (!doubt.isEmpty()) {
        words.add("nothing is made smaller: " + doubt);
        // Where no node speaks, their size is not known either: the rung would be a guess.
        return isSilent && isAllowed(before.nodes())
            ? decided(before, history.asks(before))
            : same(history);
      }
      return smallerOrSame();
    }

    private boolean isAllowed(int nodes) {
      return nodes >= ladder.at(0).nodes() && nodes <= ladder.at(ladder.top()).nodes();
    }

    private boolean canBeNothing() {
      return ladder.at(0).nodes() == 0 && policy.idleAfter().isPositive();
    }

    private boolean isIdle() {
      boolean isQuiet =
          (base == 0 && ladder.at(0).nodes() == 0)
              || (doubt.isEmpty() && needs.idle().compareTo(policy.idleAfter()) >= 0);
      return !needs.isAwaited() && needs.load() < LOAD_MIN && isQuiet;
    }

    private SizeDecision nothing() {
      words.add(base == 0 ? "nobody asks for the tier" : "no request for " + seconds(needs.idle()));
      SizeHistory next = history.asks(ladder.at(0));
      return decided(ladder.at(0), next);
    }

    /// The lowest rung that fits everything, above the top when none does.
    private int enough(double headroom, List<ScalingSignal> told) {
      double load = needs.load() * (1 + headroom);
      double memory = Math.max(0, needs.tierMemoryBytes()) * (1 + headroom);
      int most = 0;
      most =
          Math.max(
              most,
              signal(
                  told,
                  "load",
                  size -> size.cores() * policy.use() >= load,
                  "%.2f threads busy, at %.0f %% of the cores",
                  load,
                  100 * policy.use()));
      most =
          Math.max(
              most,
              signal(
                  told,
                  "memory",
                  size -> size.memoryBytes() >= memory,
                  "mappings and shards need %.2f GiB",
                  memory / GIBIBYTE));
      most =
          Math.max(
              most,
              signal(
                  told,
                  "node_memory",
                  size -> size.size().memoryBytes() >= needs.nodeMemoryBytes(),
                  "each node needs %.2f GiB",
                  needs.nodeMemoryBytes() / GIBIBYTE));
      most =
          Math.max(
              most,
              signal(
                  told,
                  "cache",
                  size -> size.cacheBytes() >= needs.cacheBytes(),
                  "%.2f GiB should be on local disks",
                  needs.cacheBytes() / GIBIBYTE));
      return Math.max(
          most, signal(told, "use", size -> size.nodes() > 0, "somebody uses the tier"));
    }

    private int signal(
        List<ScalingSignal> told,
        String name,
        Predicate<TierSize> isEnough,
        String format,
        Double... values) {
      int rung = ladder.first(isEnough);
      boolean isBeyond = rung > ladder.top();
      told.add(
          new ScalingSignal(
              name, ladder.at(Math.min(rung, ladder.top())), isBeyond, format, List.of(values)));
      return rung;
    }

    private SizeDecision larger(int rung) {
      for (ScalingSignal signal : signals) {
        if (signal.isBeyond() || signal.enough().cores() > ladder.at(base).cores()) {
          words.add(signal.name() + " asks for " + signal.enough() + ": " + signal.words());
        }
      }
      sayBeyond();
      if (rung == base) {
        return same(seen());
      }
      TierSize size = ladder.at(rung);
      return decided(size, seen().grew(size, now, policy));
    }

    private void sayBeyond() {
      for (ScalingSignal signal : signals) {
        if (signal.isBeyond()) {
          words.add("limit: " + signal.name() + " needs more than " + ladder.at(ladder.top()));
        }
      }
    }

    private SizeHistory seen() {
      if (!doubt.isEmpty()) {
        return history;
      }
      int rung = Math.min(ladder.top(), enough(policy.headroom(), new ArrayList<>()));
      return history.seen(ladder.at(rung), now, policy);
    }

    private SizeDecision smallerOrSame() {
      SizeHistory next = seen();
      int needed = next.needed(now, policy, ladder);
      if (needed >= base) {
        words.add(ladder.at(base) + " with headroom are needed, or were within the quiet time");
        return same(next);
      }
      if (next.quietLeft(now, policy).isPositive()) {
        words.add(
            ladder.at(needed)
                + " would be enough, for another "
                + seconds(next.quietLeft(now, policy))
                + " before anything goes");
        return same(next);
      }
      if (!next.mayStep(now, policy)) {
        words.add(ladder.at(needed) + " would be enough; a node has just been let go");
        return same(next);
      }
      TierSize size = ladder.at(base - 1);
      words.add(ladder.at(needed) + " were enough for the whole quiet time: one step towards it");
      return decided(size, next.shrank(size, now));
    }

    private SizeDecision same(SizeHistory next) {
      TierSize size = ladder.at(base);
      return decided(size, next.asks(size));
    }

    private SizeDecision decided(TierSize size, SizeHistory next) {
      int compared = Double.compare(size.cores(), before.cores());
      Change change = compared == 0 ? Change.NONE : compared > 0 ? Change.UP : Change.DOWN;
      return new SizeDecision(size, change, signals, words, next);
    }

    private static String seconds(java.time.Duration time) {
      return time.toSeconds() + " s";
    }
  }
}
