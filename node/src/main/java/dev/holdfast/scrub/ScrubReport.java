package dev.holdfast.scrub;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the scrub of this node has found.
///
/// @param rounds that have ended
/// @param objects checked by all rounds
/// @param bytes of them
/// @param pages of blobs that were compared
/// @param damages found by all rounds: pages of blobs, other objects
/// @param damaged objects that were damaged when they were last looked at, and how: the first
///   thousand
public record ScrubReport(
    long rounds,
    long objects,
    long bytes,
    long pages,
    long damages,
    SortedMap<String, String> damaged) {
  static final ScrubReport NONE = new ScrubReport(0, 0, 0, 0, 0, new TreeMap<>());

  /// Damaged objects that are remembered.
  private static final int DAMAGED_MAX = 1000;

  public ScrubReport {
    damaged = Collections.unmodifiableSortedMap(new TreeMap<>(damaged));
  }

  ScrubReport with(String key, long length, ObjectCheck.Checked result) {
    SortedMap<String, String> now = new TreeMap<>(damaged);
    if (result.damages().isEmpty()) {
      now.remove(key);
    } else if (now.size() < DAMAGED_MAX || now.containsKey(key)) {
      now.put(key, String.valueOf(result.damages().getFirst().getMessage()));
    }
    return new ScrubReport(
        rounds,
        objects + 1,
        bytes + length,
        pages + result.pages(),
        damages + result.damages().size(),
        now);
  }

  ScrubReport withRound(SortedMap<String, String> stillThere) {
    return new ScrubReport(rounds + 1, objects, bytes, pages, damages, stillThere);
  }
}
