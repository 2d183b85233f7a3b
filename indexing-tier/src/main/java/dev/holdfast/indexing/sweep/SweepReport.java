package dev.holdfast.indexing.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the sweeps of a leader have found and done.
///
/// @param sweeps how many there were
/// @param lastMillis when the last one ended, epoch milliseconds; 0: there was none
/// @param blobs seen by the last one
/// @param foreign keys among them that are no blobs: never deleted
/// @param logFiles seen by the last one, with operations
/// @param fences seen by the last one
/// @param unreadableShards whose newest commit could not be read: logs with operations of them are
///   kept
/// @param orphans folders of deleted indices and logs of dead nodes that wait for their grace, and
///   what is left of it in milliseconds
/// @param logsHeld logs of dead nodes, and a shard that may need each
/// @param deletedBlobs by all sweeps, of folders of deleted indices: moved to the trash
/// @param deletedLogFiles by all sweeps
/// @param deletedPins by all sweeps, of points in time that are over
/// @param unknown folders of indices that the state neither has nor knows to have deleted, which
///   are kept, and the uuid of each
/// @param trash objects in the trash
public record SweepReport(
    long sweeps,
    long lastMillis,
    long blobs,
    long foreign,
    long logFiles,
    long fences,
    long unreadableShards,
    SortedMap<String, Long> orphans,
    SortedMap<String, String> logsHeld,
    long deletedBlobs,
    long deletedLogFiles,
    long deletedPins,
    SortedMap<String, String> unknown,
    long trash) {
  static final SweepReport NONE =
      new SweepReport(
          0, 0, 0, 0, 0, 0, 0, new TreeMap<>(), new TreeMap<>(), 0, 0, 0, new TreeMap<>(), 0);

  public SweepReport {
    orphans = Collections.unmodifiableSortedMap(new TreeMap<>(orphans));
    unknown = Collections.unmodifiableSortedMap(new TreeMap<>(unknown));
    logsHeld = Collections.unmodifiableSortedMap(new TreeMap<>(logsHeld));
  }
}
