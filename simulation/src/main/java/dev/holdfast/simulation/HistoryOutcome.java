package dev.holdfast.simulation;

import java.util.List;

/// How a history went.
///
/// @param trace equal for two runs of one seed
/// @param violations empty when all was well
record HistoryOutcome(
    long seed,
    long trace,
    List<String> violations,
    long steps,
    long virtualMillis,
    long acknowledged,
    long unknown,
    long reads,
    long searches,
    int troubles,
    long requests,
    long deletes) {
  boolean isGood() {
    return violations.isEmpty();
  }
}
