package dev.holdfast.translog;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.LogFile.Entry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which shards have operations in which files of the logs of dead nodes: told by whoever reads a
/// file's directory, so that of thousands of shards that recover from one log each reads its own
/// files only. A file never changes, so nothing that is known here gets out of date; but nobody
/// says when a dead node's log is deleted, so the files that were read first are forgotten when
/// there are too many.
final class ShardsByFile {
  /// Files that are known.
  static final int FILES_MAX = 32_768;

  /// Lines of their directories, of 4 bytes each.
  private static final int LINES_MAX = 4 << 20;

  /// Shards that have a number: when there are more, most of them are long gone.
  private static final int SHARDS_MAX = 1 << 18;

  // All guarded by this.
  private final Map<String, Integer> numbers = new HashMap<>();
  private final LinkedHashMap<String, int[]> files = new LinkedHashMap<>();
  private int lines;

  /// A directory was read.
  ///
  /// @param key of the file
  synchronized void read(String key, List<Entry> entries) {
    if (entries.size() > LINES_MAX || files.containsKey(key)) {
      return;
    }
    if (numbers.size() + entries.size() > SHARDS_MAX) {
      files.clear();
      numbers.clear();
      lines = 0;
    }
    while (!files.isEmpty() && (files.size() >= FILES_MAX || lines + entries.size() > LINES_MAX)) {
      lines -= files.pollFirstEntry().getValue().length;
    }
    int[] shards = new int[entries.size()];
    for (int i = 0; i < shards.length; i++) {
      shards[i] =
          numbers.computeIfAbsent(LogDirectory.name(entries.get(i).shard()), _ -> numbers.size());
    }
    Arrays.sort(shards);
    files.put(key, shards);
    lines += shards.length;
  }

  /// Whether a file is known to have nothing of the shard.
  synchronized boolean isWithout(String key, ShardId shard) {
    int[] shards = files.get(key);
    if (shards == null) {
      return false;
    }
    Integer number = numbers.get(LogDirectory.name(shard));
    return number == null || Arrays.binarySearch(shards, number) < 0;
  }
}
