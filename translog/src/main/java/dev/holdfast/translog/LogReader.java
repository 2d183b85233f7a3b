package dev.holdfast.translog;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import dev.holdfast.translog.LogFile.Entry;
import dev.holdfast.translog.LogFile.Tail;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads directories of translog files, and frames of one shard.
final class LogReader {
  private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);

  private final ObjectStore store;
  private final LogSuffixes suffixes;

  LogReader(ObjectStore store) {
    this.store = store;
    this.suffixes = new LogSuffixes(store);
  }

  /// What a shard has in a file.
  record Found(long primaryTerm, List<Operation> operations) {}

  /// A replay begins; [#end] must be called once for each.
  void begin() {
    suffixes.begin();
  }

  void end() {
    suffixes.end();
  }

  Optional<Found> read(ShardId shard, String key) throws IOException {
    Opened file = opened(key);
    for (Entry entry : file.directory.entries()) {
      if (entry.shard().index().uuid().equals(shard.index().uuid())
          && entry.shard().number() == shard.number()) {
        byte[] frame = frame(key, entry, file.suffix);
        return Optional.of(new Found(entry.primaryTerm(), LogFile.operations(entry, frame, key)));
      }
    }
    return Optional.empty();
  }

  /// What the end of the file says, or its beginning when that is damaged.
  ///
  /// @throws LostObjectException when a fence lies there
  Tail.Directory directory(String key) throws IOException {
    return opened(key).directory;
  }

  /// @param suffix of the file, as much as was read
  private record Opened(Tail.Directory directory, Suffix suffix) {}

  private Opened opened(String key) throws IOException {
    Suffix suffix = suffixes.get(key);
    Tail tail;
    try {
      tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
      if (tail instanceof Tail.Longer longer) {
        suffix = store.getSuffix(key, longer.suffixBytes());
        tail = LogFile.tail(suffix.bytes(), suffix.objectLength(), key);
      }
    } catch (CorruptObjectException e) {
      tail = head(key, suffix.objectLength(), e);
    }
    if (!(tail instanceof Tail.Directory directory)) {
      throw new LostObjectException(key, "a fence lies within a log");
    }
    return new Opened(directory, suffix);
  }

  /// The directory at the beginning of a file whose end is damaged.
  private Tail head(String key, long length, CorruptObjectException damage) throws IOException {
    int prefixBytes = (int) Math.min(length, LogSuffixes.SUFFIX_BYTES);
    Optional<Tail> head = LogFile.head(store.getRange(key, 0, prefixBytes), length);
    if (head.isPresent() && head.get() instanceof Tail.Longer longer) {
      head = LogFile.head(store.getRange(key, 0, longer.suffixBytes()), length);
    }
    LOG.warn(
        "the end of a translog file is damaged, its beginning is read [key={}, is_readable={}]",
        key,
        head.isPresent(),
        damage);
    return head.orElseThrow(() -> damage);
  }

  /// The suffix of a small file holds its frames too.
  private byte[] frame(String key, Entry entry, Suffix suffix) throws IOException {
    long suffixOffset = suffix.objectLength() - suffix.bytes().length;
    if (entry.offset() < suffixOffset) {
      return store.getRange(key, entry.offset(), entry.length());
    }
    int from = (int) (entry.offset() - suffixOffset);
    return Arrays.copyOfRange(suffix.bytes(), from, from + entry.length());
  }
}
