package dev.holdfast.node.wiring;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// The store as the indexing tier sees it: what it asks is counted by what it asks for (writes are
/// uploads, lists are recoveries, deletes are garbage collection), and is tried for ever.
public final class StorePurposes extends ForwardingStore {
  private final ObjectStore writing;
  private final ObjectStore reading;
  private final ObjectStore listing;
  private final ObjectStore deleting;

  StorePurposes(ObjectStore store, StoreCounters counters, World world) {
    super(store);
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
  protected ObjectStore to(RequestKind kind) {
    return switch (kind) {
      case PUT, COPY, TRANSITION -> writing;
      case GET -> reading;
      case LIST -> listing;
      case DELETE -> deleting;
    };
  }

  /// The end of a blob is what a recovery asks for.
  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return listing.getSuffix(key, length);
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
