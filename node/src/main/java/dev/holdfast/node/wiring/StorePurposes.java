package dev.holdfast.node.wiring;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The store as the indexing tier sees it: what it asks is counted by what it asks for (writes are
/// uploads, lists are recoveries, deletes are garbage collection), and is tried for ever.
public final class StorePurposes implements ObjectStore {
  private final ObjectStore writing;
  private final ObjectStore reading;
  private final ObjectStore listing;
  private final ObjectStore deleting;

  StorePurposes(ObjectStore store, StoreCounters counters, World world) {
    writing = forever(store, Purpose.COMMIT_UPLOAD, counters, world);
    reading = forever(store, Purpose.INDEXING, counters, world);
    listing = forever(store, Purpose.RECOVERY, counters, world);
    deleting = forever(store, Purpose.GARBAGE_COLLECTION, counters, world);
  }

  /// A store for one purpose whose requests are tried until they succeed.
  public static ObjectStore forever(
      ObjectStore store, Purpose purpose, StoreCounters counters, World world) {
    return Retrying.forever(new Counting(store, purpose, counters), world, counters.health());
  }

  @Override
  public String name() {
    return reading.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return writing.put(key, body);
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return writing.putIfAbsent(key, body);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return writing.compareAndSet(key, expected, bytes);
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return reading.get(key);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return reading.getRange(key, offset, length);
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return listing.getSuffix(key, length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return listing.list(prefix, after, max);
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    writing.copy(from, to);
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    deleting.deleteAll(keys);
  }

  @Override
  public Optional<Path> localFile(String key) {
    return reading.localFile(key);
  }

  @Override
  public Optional<String> lender(String key) throws StoreException {
    return listing.lender(key);
  }

  /// Of what a shard needs to be opened and served; not of deletions, which nobody waits for.
  @Override
  public Optional<StoreTrouble> trouble(String prefix) {
    return Stream.of(writing, reading, listing)
        .flatMap(store -> store.trouble(prefix).stream())
        .min(Comparator.comparingLong(StoreTrouble::sinceNanos));
  }

  /// The store is shared; who opened it closes it.
  @Override
  public void close() {}
}
