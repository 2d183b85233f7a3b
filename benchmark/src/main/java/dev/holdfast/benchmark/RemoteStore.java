package dev.holdfast.benchmark;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A store whose objects are far away, whatever it is made of; it remembers when each read began
/// and ended.
final class RemoteStore extends ForwardingStore {
  private final List<Read> reads = new ArrayList<>();

  RemoteStore(ObjectStore store) {
    super(store);
  }

  /// A read that is over.
  record Read(String key, long offset, long bytes, long startNanos, long endNanos) {}

  /// What was read since the last call.
  synchronized List<Read> takeReads() {
    List<Read> taken = List.copyOf(reads);
    reads.clear();
    return taken;
  }

  /// The longest chain of reads of which each began when the one before was over: reads that may
  /// have needed the answer of another.
  static int dependentRoundTrips(List<Read> reads) {
    List<Read> byEnd = new ArrayList<>(reads);
    byEnd.sort(java.util.Comparator.comparingLong(Read::endNanos));
    int[] depth = new int[byEnd.size()];
    int deepest = 0;
    for (int i = 0; i < depth.length; i++) {
      depth[i] = 1;
      for (int before = 0; before < i; before++) {
        if (byEnd.get(before).endNanos <= byEnd.get(i).startNanos) {
          depth[i] = Math.max(depth[i], depth[before] + 1);
        }
      }
      deepest = Math.max(deepest, depth[i]);
    }
    return deepest;
  }

  private synchronized void add(String key, long offset, long bytes, long startNanos) {
    reads.add(new Read(key, offset, bytes, startNanos, System.nanoTime()));
  }

  /// What is far away is no file of this machine.
  @Override
  public Optional<Path> localFile(String key) {
    return Optional.empty();
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    long start = System.nanoTime();
    Optional<StoredObject> got = store.get(key);
    add(key, 0, got.map(object -> object.bytes().length).orElse(0), start);
    return got;
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    long start = System.nanoTime();
    byte[] got = store.getRange(key, offset, length);
    add(key, offset, got.length, start);
    return got;
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    long start = System.nanoTime();
    Suffix got = store.getSuffix(key, length);
    add(key, got.objectLength() - got.bytes().length, got.bytes().length, start);
    return got;
  }
}
