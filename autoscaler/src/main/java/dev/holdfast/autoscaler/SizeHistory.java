package dev.holdfast.autoscaler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is remembered between two decisions of a tier. Times are milliseconds of one monotonic
/// clock; when it goes back, the past is forgotten.
///
/// @param asked the size decided last, null before the first decision
/// @param samples the largest size that would have been enough, by stretches of time, oldest first
/// @param sinceMillis from when on everything is known without a gap
/// @param lastMillis of the last decision on whole data
/// @param steppedMillis of the last step down, `Long.MIN_VALUE` when there was none
/// @param isWary whether a step down had to be taken back soon: the next waits twice as long
public record SizeHistory(
    @Nullable TierSize asked,
    List<Sample> samples,
    long sinceMillis,
    long lastMillis,
    long steppedMillis,
    boolean isWary) {
  /// Nothing has been decided.
  public static final SizeHistory NONE =
      new SizeHistory(null, List.of(), 0, Long.MIN_VALUE, Long.MIN_VALUE, false);

  private static final int SAMPLES_A_QUIET_TIME = 30;

  public SizeHistory {
    samples = List.copyOf(samples);
  }

  /// The largest size within a stretch of time.
  public record Sample(long fromMillis, TierSize enough) {}

  /// With what would have been enough now.
  SizeHistory seen(TierSize enough, long now, ScalingPolicy policy) {
    boolean isGap =
        lastMillis == Long.MIN_VALUE
            || now < lastMillis
            || now - lastMillis > policy.gapMax().toMillis();
    long stretch = Math.max(1, policy.quiet().toMillis() / SAMPLES_A_QUIET_TIME);
    long from = now - Math.floorMod(now, stretch);
    List<Sample> kept = new ArrayList<>();
    for (Sample sample : isGap ? List.<Sample>of() : samples) {
      if (sample.fromMillis + stretch > now - quietMillis(policy, true)) {
        kept.add(sample);
      }
    }
    if (!kept.isEmpty() && kept.getLast().fromMillis == from) {
      TierSize before = kept.removeLast().enough;
      kept.add(new Sample(from, before.cores() > enough.cores() ? before : enough));
    } else {
      kept.add(new Sample(from, enough));
    }
    boolean isBackwards = now < lastMillis;
    return new SizeHistory(
        asked,
        kept,
        isGap ? now : sinceMillis,
        now,
        isBackwards ? Long.MIN_VALUE : steppedMillis,
        isWary);
  }

  private static long quietMillis(ScalingPolicy policy, boolean isWary) {
    return policy.quiet().toMillis() * (isWary ? 2 : 1);
  }

  /// How long the quiet time still is, for what has been seen without a gap.
  Duration quietLeft(long now, ScalingPolicy policy) {
    return Duration.ofMillis(Math.max(0, quietMillis(policy, isWary) - (now - sinceMillis)));
  }

  boolean mayStep(long now, ScalingPolicy policy) {
    return steppedMillis == Long.MIN_VALUE
        || now - steppedMillis >= policy.betweenSteps().toMillis();
  }

  /// The largest rung that was needed within the quiet time.
  int needed(long now, ScalingPolicy policy, SizeLadder ladder) {
    long stretch = Math.max(1, policy.quiet().toMillis() / SAMPLES_A_QUIET_TIME);
    long from = now - quietMillis(policy, isWary);
    int most = 0;
    for (Sample sample : samples) {
      if (sample.fromMillis + stretch > from) {
        most = Math.max(most, ladder.holding(sample.enough));
      }
    }
    return most;
  }

  SizeHistory asks(TierSize size) {
    return new SizeHistory(size, samples, sinceMillis, lastMillis, steppedMillis, isWary);
  }

  /// A larger size was asked for.
  SizeHistory grew(TierSize size, long now, ScalingPolicy policy) {
    boolean isRegretted =
        steppedMillis != Long.MIN_VALUE && now - steppedMillis <= 2 * policy.quiet().toMillis();
    return new SizeHistory(size, samples, sinceMillis, lastMillis, steppedMillis, isRegretted);
  }

  SizeHistory shrank(TierSize size, long now) {
    return new SizeHistory(size, samples, sinceMillis, lastMillis, now, isWary);
  }
}
