package dev.holdfast.simulation.fortnight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a fortnight came to.
///
/// @param polls looks of leaders at all streams
/// @param deaths of leaders where there are no nodes
/// @param batches of documents that were acknowledged
/// @param kills of nodes, and leaders and owners that slept until others had their place
/// @param documents that were acknowledged one by one; none in a fortnight without nodes
/// @param found how often documents were looked for and found
/// @param deleted indices that were too old
/// @param coarsened indices that were downsampled
/// @param shardsMax the most shards of a write index
/// @param violations none when every promise was kept
public record FortnightOutcome(
    long seed,
    long polls,
    long deaths,
    long batches,
    long kills,
    long documents,
    long found,
    long rollovers,
    long deleted,
    long coarsened,
    int shardsMax,
    List<String> violations) {
  public FortnightOutcome {
    violations = List.copyOf(violations);
  }

  FortnightOutcome(
      long seed, long polls, long deaths, StreamPromises promises, List<String> violations) {
    this(
        seed,
        polls,
        deaths,
        promises.batches(),
        0,
        0,
        0,
        promises.rollovers(),
        promises.deleted(),
        promises.coarsened(),
        promises.shardsMax(),
        violations);
  }

  FortnightOutcome withDocuments(long killed, long acknowledged, long times) {
    return new FortnightOutcome(
        seed,
        polls,
        deaths,
        batches,
        killed,
        acknowledged,
        times,
        rollovers,
        deleted,
        coarsened,
        shardsMax,
        violations);
  }

  public boolean isGood() {
    return violations.isEmpty();
  }

  /// Sums over seeds.
  FortnightOutcome plus(FortnightOutcome other) {
    return and(other).withViolations(List.of());
  }

  private FortnightOutcome withViolations(List<String> all) {
    return new FortnightOutcome(
        seed, polls, deaths, batches, kills, documents, found, rollovers, deleted, coarsened,
        shardsMax, all);
  }

  /// Both together.
  FortnightOutcome and(FortnightOutcome other) {
    List<String> all = new ArrayList<>(violations);
    all.addAll(other.violations);
    return new FortnightOutcome(
        seed,
        polls + other.polls,
        deaths + other.deaths,
        batches + other.batches,
        kills + other.kills,
        documents + other.documents,
        found + other.found,
        rollovers + other.rollovers,
        deleted + other.deleted,
        coarsened + other.coarsened,
        Math.max(shardsMax, other.shardsMax),
        all);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d polls, %d deaths of leaders without nodes, %d batches acknowledged, %d nodes killed, %d"
            + " documents found %d times, %d rollovers, %d indices deleted, %d downsampled, %d"
            + " shards at most",
        polls,
        deaths,
        batches,
        kills,
        documents,
        found,
        rollovers,
        deleted,
        coarsened,
        shardsMax);
  }
}
