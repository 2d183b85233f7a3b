package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.objectstore.InParallel;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshots in one place, each a register: made, finished and given up by compare-and-set, so
/// that of two who want different things one is told.
///
/// @param store where it lies: the cluster's own, or another one
/// @param isOwn whether it is the cluster's own: then snapshots pin blobs where they are
/// @param folder what the keys of its snapshots begin with
public record SnapshotRepository(
    World world, Repository definition, ObjectStore store, boolean isOwn, String folder) {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRepository.class);

  /// Where all snapshots within the cluster's own store lie.
  public static final String OWN_FOLDER = "pins/snapshots/";

  /// Where the snapshots of another store lie.
  static final String FOLDER = "snapshots/";

  /// Where the blobs of another store lie.
  static final String BLOBS = "blobs/";

  /// Lies among the snapshots while somebody looks for blobs to delete; no name becomes that.
  private static final String CLEANING = "~cleaning";

  private static final int SNAPSHOTS_MAX = 500;
  private static final int LIST_MAX = 1000;
  private static final int READ_AT_ONCE = 16;

  /// A snapshot as it was read.
  ///
  /// @param manifest null when it can't be read, for `damage`
  public record Found(
      String name,
      Version version,
      @Nullable SnapshotManifest manifest,
      @Nullable IOException damage) {
    /// @throws IOException when it can't be read
    public SnapshotManifest whole() throws IOException {
      if (damage != null) {
        throw damage;
      }
      return java.util.Objects.requireNonNull(manifest);
    }
  }

  public String name() {
    return definition.name();
  }

  /// Where a snapshot lies.
  public String key(String snapshot) {
    return folder + ObjectName.of(snapshot);
  }

  /// Where a blob lies in a repository that is another store.
  public String blobKey(ShardId shard, BlobId blob) {
    return blobFolder(shard)
        + Long.toUnsignedString(blob.primaryTerm())
        + "-"
        + Long.toUnsignedString(blob.generation());
  }

  static String blobFolder(ShardId shard) {
    return BLOBS + shard.index().uuid() + "/" + shard.number() + "/";
  }

  /// Keys of the blobs that a snapshot has in a repository that is another store.
  public Set<String> blobKeys(SnapshotManifest manifest) {
    Set<String> keys = new HashSet<>();
    for (SnapshottedIndex index : manifest.indices().values()) {
      for (int number = 0; number < index.shards().size(); number++) {
        ShardId shard = new ShardId(index.metadata().id(), number);
        index.shards().get(number).blobs().forEach(blob -> keys.add(blobKey(shard, blob)));
      }
    }
    return keys;
  }

  /// Lengths of those blobs of a shard that are there, in a repository that is another store.
  public SortedMap<BlobId, Long> blobLengths(ShardId shard, Collection<BlobId> blobs)
      throws IOException {
    Map<String, Long> there = new HashMap<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(blobFolder(shard), after, LIST_MAX);
      page.forEach(one -> there.put(one.key(), one.length()));
      if (page.size() < LIST_MAX) {
        break;
      }
      after = page.getLast().key();
    }
    SortedMap<BlobId, Long> lengths = new TreeMap<>();
    for (BlobId blob : blobs) {
      Long length = there.get(blobKey(shard, blob));
      if (length != null) {
        lengths.put(blob, length);
      }
    }
    return lengths;
  }

  /// How many snapshots it may have.
  public int snapshotsMax() {
    return Integer.parseInt(
        definition.setting(RepositoryTypes.SNAPSHOTS_MAX, Integer.toString(SNAPSHOTS_MAX)));
  }

  /// Who is looking for blobs that no snapshot has.
  public Optional<Cleaning> cleaning() throws IOException {
    return store.get(folder + CLEANING).map(object -> Cleaning.read(object.bytes()));
  }

  /// For who is held up by it. What a member of this cluster leaves behind goes away; of another
  /// cluster nobody here knows whether it is at work.
  public String whose(Cleaning cleaning) {
    return "[cluster="
        + cleaning.cluster()
        + ", node="
        + cleaning.node()
        + ", object="
        + folder
        + CLEANING
        + "]: once that cluster is gone for good, delete the object";
  }

  /// Nobody is looking for such blobs any more.
  public void endCleaning() throws IOException {
    store.deleteAll(List.of(folder + CLEANING));
  }

  /// Deletes the blobs that no snapshot of a repository in another store has. One looks at a time:
  /// whoever makes a snapshot waits for him, and must not take the end of one for that of another.
  ///
  /// @return lengths of the blobs that were deleted
  /// @throws Refusal `illegal_state_exception` while somebody else does
  public List<Long> clean(Cleaning who) throws IOException {
    if (isOwn) {
      return List.of(); // the sweep of the cluster sees to them
    }
    if (store.compareAndSet(folder + CLEANING, null, who.bytes()) instanceof Swap.Conflict) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "Cannot cleanup ["
              + name()
              + "] - a repository cleanup is already in-progress "
              + cleaning().map(this::whose).orElse(""));
    }
    try {
      List<Listed> blobs = new ArrayList<>();
      String after = "";
      while (true) {
        List<Listed> page = store.list(BLOBS, after, LIST_MAX);
        blobs.addAll(page);
        if (page.size() < LIST_MAX) {
          break;
        }
        after = page.getLast().key();
      }
      Set<String> needed = new HashSet<>();
      for (Found found : all()) {
        needed.addAll(blobKeys(required(found)));
      }
      blobs.removeIf(blob -> needed.contains(blob.key()));
      if (!blobs.isEmpty()) {
        store.deleteAll(blobs.stream().map(Listed::key).toList());
      }
      return blobs.stream().map(Listed::length).toList();
    } finally {
      endCleaning();
    }
  }

  /// What is wrong with one that is named.
  ///
  /// @throws Refusal `snapshot_exception` for one that cannot be read
  public SnapshotManifest required(Found found) {
    try {
      return found.whole();
    } catch (IOException e) {
      throw new Refusal(
          ErrorType.SNAPSHOT,
          "["
              + name()
              + ":"
              + found.name()
              + "] cannot be read, put it back or delete it: "
              + e.getMessage(),
          e);
    }
  }

  /// Deletes what only that snapshot has, which is marked as being deleted, in another store. While
  /// another snapshot can't be read, which may have any of it, nothing is deleted: a cleanup finds
  /// what is left when that one is gone.
  public void removeBlobs(SnapshotManifest deleted) throws IOException {
    Set<String> loose = blobKeys(deleted);
    for (Found found : all()) {
      SnapshotManifest other = found.manifest();
      if (other == null) {
        LOG.warn(
            "a snapshot cannot be read: the blobs of one that is deleted are kept, _cleanup deletes"
                + " them later [repository={}, damaged={}, deleted={}]",
            name(),
            found.name(),
            deleted.name());
        return;
      }
      if (!other.uuid().equals(deleted.uuid())) {
        loose.removeAll(blobKeys(other));
      }
    }
    if (!loose.isEmpty()) {
      store.deleteAll(loose);
    }
  }

  /// Names of all snapshots, also of those that are being made or deleted, in their order: one LIST
  /// a thousand.
  public List<String> names() throws IOException {
    return List.copyOf(listed().keySet());
  }

  /// When each was written last, by the clock of the store that it lies in; without those of which
  /// that tells no time.
  public Map<String, Long> writtenMillis() throws IOException {
    Map<String, Long> written = new HashMap<>();
    listed()
        .forEach((name, one) -> {
          if (StoreClock.isDated(one)) {
            written.put(name, one.modifiedMillis());
          }
        });
    return written;
  }

  private SortedMap<String, Listed> listed() throws IOException {
    SortedMap<String, Listed> listed = new TreeMap<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(folder, after, LIST_MAX);
      for (Listed one : page) {
        String segment = one.key().substring(folder.length());
        if (!segment.equals(CLEANING) && ObjectName.isOne(segment)) {
          listed.put(ObjectName.name(segment), one);
        }
      }
      if (page.size() < LIST_MAX) {
        return listed;
      }
      after = page.getLast().key();
    }
  }

  /// All snapshots as they are now.
  public List<Found> all() throws IOException {
    return read(names());
  }

  /// Those of that name that are there; one GET each.
  public List<Found> read(List<String> names) throws IOException {
    List<Found> all = new ArrayList<>();
    for (int begin = 0; begin < names.size(); begin += READ_AT_ONCE) {
      List<StoreRequest<Optional<Found>>> requests = new ArrayList<>();
      List<String> some = names.subList(begin, Math.min(names.size(), begin + READ_AT_ONCE));
      some.forEach(name -> requests.add(() -> look(name)));
      for (Optional<Found> found : InParallel.send(world, "snapshots", requests)) {
        found.ifPresent(all::add);
      }
    }
    return all;
  }

  /// A snapshot as it is now; empty when there is none of that name.
  public Optional<Found> find(String snapshot) throws IOException {
    return look(snapshot);
  }

  /// A store may see by itself that an object is damaged.
  private Optional<Found> look(String snapshot) throws StoreException {
    try {
      return store.get(key(snapshot)).map(object -> found(snapshot, object));
    } catch (StoreException e) {
      if (CorruptObjectException.in(e) == null) {
        throw e;
      }
      return Optional.of(new Found(snapshot, Version.UNKNOWN, null, e));
    }
  }

  private Found found(String snapshot, StoredObject object) {
    try {
      SnapshotManifest manifest = ManifestBytes.read(key(snapshot), object.bytes());
      if (!manifest.name().equals(snapshot)) {
        throw new CorruptObjectException(
            key(snapshot), "it is a copy of the snapshot [" + manifest.name() + "]");
      }
      return new Found(snapshot, object.version(), manifest, null);
    } catch (IOException e) {
      return new Found(snapshot, object.version(), null, e);
    }
  }

  /// Writes a snapshot if its version is still `expected`.
  ///
  /// @param expected null for none: there is no snapshot of that name
  /// @return its version; empty when somebody else was faster
  public Optional<Version> write(SnapshotManifest manifest, @Nullable Version expected)
      throws IOException {
    return switch (store.compareAndSet(
        key(manifest.name()), expected, ManifestBytes.write(manifest))) {
      case Swap.Swapped(Version version) -> Optional.of(version);
      case Swap.Conflict _ -> Optional.empty();
    };
  }

  /// Writes the first version of a snapshot.
  ///
  /// @return empty when the name is taken, also by one that can't be read
  public Optional<Version> create(SnapshotManifest manifest) throws IOException {
    try {
      return write(manifest, null);
    } catch (StoreException e) {
      if (CorruptObjectException.in(e) == null) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /// Removes a snapshot that was given up before, or that can't be read.
  public void remove(String snapshot) throws IOException {
    store.deleteAll(List.of(key(snapshot)));
  }
}
