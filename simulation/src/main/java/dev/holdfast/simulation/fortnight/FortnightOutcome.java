package dev.holdfast.simulation.fortnight;

import java.util.List;
import java.util.Locale;

/// What a fortnight came to.
///
/// @param polls looks of leaders at all streams
/// @param deaths of leaders
/// @param batches of documents that were acknowledged
/// @param deleted indices that were too old
/// @param coarsened indices that were downsampled
/// @param shardsMax the most shards of a write index
/// @param violations none when every promise was kept
public record FortnightOutcome(
    long seed,
    long polls,
    long deaths,
    long batches,
    long rollovers,
    long deleted,
    long coarsened,
    int shardsMax,
    List<String> violations) {
  public FortnightOutcome {
    violations = List.copyOf(violations);
  }

  public boolean isGood() {
    return violations.isEmpty();
  }

  /// Sums over seeds.
  FortnightOutcome plus(FortnightOutcome other) {
    return new FortnightOutcome(
        seed,
        polls + other.polls,
        deaths + other.deaths,
        batches + other.batches,
        rollovers + other.rollovers,
        deleted + other.deleted,
        coarsened + other.coarsened,
        Math.max(shardsMax, other.shardsMax),
        List.of());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d polls, %d deaths of leaders, %d batches acknowledged, %d rollovers, %d indices deleted,"
            + " %d downsampled, %d shards at most",
        polls,
        deaths,
        batches,
        rollovers,
        deleted,
        coarsened,
        shardsMax);
  }
}
