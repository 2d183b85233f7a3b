package dev.holdfast.indexing.upload;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.json.CarriedMetadata;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.batch.NewCommit;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.indexing.engine.Committed;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.translog.Log;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// The virtual batches of a shard (§4.1): the one that commits are appended to, those that wait for
/// their upload, and those whose upload the search tier has not confirmed; in this order a batch
/// moves, and at every moment it can be found.
public final class Batches {
  /// Of the size at which an upload is due: 45 MiB.
  private static final int HELD_SIZES_MAX = 3;

  private final World world;
  private final Metadata metadata;
  private final Ownership ownership;
  private final IndexingConfig config;
  private final ShardEngine engine;
  private final Path localFolder;

  // Guarded by this.
  private @Nullable Batch current;
  private final Deque<Batch> waiting = new ArrayDeque<>();
  private final Deque<Batch> confirming = new ArrayDeque<>();
  private Map<String, FileLocation> places;

  /// A batch and what its upload needs to know.
  static final class Batch {
    final VirtualBatch virtual;
    final long startNanos;
    Log.@Nullable Ticket ticket;
    VirtualBatch.@Nullable Frozen frozen;
    long indexNanos;
    long logOperations;
    long logBytes;
    long uploadedNanos;

    Batch(VirtualBatch virtual, long startNanos) {
      this.virtual = virtual;
      this.startNanos = startNanos;
    }

    CompoundCommit newest() {
      return virtual.commits().getLast();
    }
  }

  public Batches(
      World world,
      Metadata metadata,
      Ownership ownership,
      IndexingConfig config,
      ShardEngine engine,
      Path localFolder) {
    this.world = world;
    this.metadata = metadata;
    this.ownership = ownership;
    this.config = config;
    this.engine = engine;
    this.localFolder = localFolder;
    this.places = engine.directory.locations();
  }

  /// Appends a Lucene commit to the current batch.
  public synchronized CompoundCommit append(Committed committed) throws IOException {
    return append(
        committed, new TranslogPosition(ownership.nodeEphemeralId(), committed.logOrdinal()));
  }

  /// Appends a commit that holds every operation there is: whoever opens it replays nothing.
  public CompoundCommit appendClean(Committed committed) throws IOException {
    return append(committed, TranslogPosition.NOTHING_TO_REPLAY);
  }

  private synchronized CompoundCommit append(Committed committed, TranslogPosition replayFrom)
      throws IOException {
    ShardId shard = engine.shard;
    IndexCommit lucene = Objects.requireNonNull(committed.commit());
    long generation = lucene.getGeneration();
    Batch batch = current;
    if (batch == null) {
      BlobId id = new BlobId(engine.primaryTerm, generation);
      batch = new Batch(new VirtualBatch(shard, id, localFolder), world.clock().nanoTime());
    }
    BlobId id = batch.virtual.id();
    Map<String, FileLocation> elsewhere = new TreeMap<>();
    for (String file : lucene.getFileNames()) {
      FileLocation place = places.get(file);
      if (place != null && !place.blob().equals(id)) {
        elsewhere.put(file, place);
      }
    }
    CompoundCommit commit =
        batch.virtual.append(
            new NewCommit(
                engine.primaryTerm,
                generation,
                lucene.getSegmentsFileName(),
                replayFrom,
                committed.maxSeqNo(),
                committed.counts().documents(),
                world.clock().epochMillis(),
                lucene.getFileNames(),
                elsewhere,
                file -> engine.directory.openInput(file, IOContext.DEFAULT)));
    // A batch is named by the first commit in it: one that has none would take no other.
    current = batch;
    places = commit.files();
    batch.ticket = committed.ticket();
    batch.indexNanos = committed.indexNanos();
    batch.logOperations = committed.logOperations();
    batch.logBytes = committed.logBytes();
    return commit;
  }

  /// Whether the current batch is large, long or old enough, or an upload failed and waits.
  public synchronized boolean isUploadDue(long nowNanos) {
    return !waiting.isEmpty()
        || (current != null
            && (current.virtual.bytes() >= config.uploads().size().bytes()
                || current.virtual.commitCount() >= config.uploads().commits()
                || nowNanos - current.startNanos >= config.uploads().age().toNanos()));
  }

  /// Whether the current batch is so large that it waits for nothing: larger ones go in parts, and
  /// cost a request for each.
  public synchronized boolean isTooLargeToWait() {
    return current != null
        && current.virtual.bytes() >= HELD_SIZES_MAX * config.uploads().size().bytes();
  }

  /// Closes the current batch to further commits and returns what waits for upload, oldest first.
  synchronized List<Batch> freeze() throws IOException {
    if (current != null) {
      current.frozen = frozen(current.virtual);
      waiting.addLast(current);
      engine.counters.covered(current.indexNanos, current.newest().translog().ordinal());
      current = null;
    }
    return new ArrayList<>(waiting);
  }

  private VirtualBatch.Frozen frozen(VirtualBatch batch) throws IOException {
    try {
      return batch.freeze(carried());
    } catch (CorruptObjectException e) {
      engine.fail(e); // this node's disk: the log has what is lost here
      throw e;
    }
  }

  /// What the cluster state says of the index now: with it the state can be rebuilt.
  private byte[] carried() {
    return CarriedMetadata.of(metadata.current(), engine.shard.index())
        .map(known -> known.bytes(engine.shard.number()))
        .orElseGet(() -> new byte[0]); // deleted meanwhile
  }

  synchronized void uploaded(Batch batch) {
    batch.uploadedNanos = world.clock().nanoTime();
    confirming.addLast(batch);
    waiting.remove(batch);
  }

  /// Whether there are batches uploaded at or before that time.
  public synchronized boolean hasUploaded(long uploadedByNanos) {
    return !confirming.isEmpty() && confirming.getFirst().uploadedNanos - uploadedByNanos <= 0;
  }

  /// Bytes of the newest commit's files.
  public synchronized long newestBytes() {
    return places.values().stream().mapToLong(FileLocation::length).sum();
  }

  /// Takes out the batches that were uploaded at or before that time.
  synchronized List<Batch> takeUploaded(long uploadedByNanos) {
    List<Batch> taken = new ArrayList<>();
    while (!confirming.isEmpty() && confirming.getFirst().uploadedNanos - uploadedByNanos <= 0) {
      taken.add(confirming.removeFirst());
    }
    return taken;
  }

  /// Commits that are not in the store yet.
  public synchronized List<CompoundCommit> notUploaded() {
    List<CompoundCommit> commits = new ArrayList<>();
    waiting.forEach(batch -> commits.addAll(batch.virtual.commits()));
    if (current != null) {
      commits.addAll(current.virtual.commits());
    }
    return commits;
  }

  /// The same for people, oldest first.
  public synchronized List<PendingBatch> pending() {
    List<Batch> batches = new ArrayList<>(waiting);
    if (current != null) {
      batches.add(current);
    }
    long nowNanos = world.clock().nanoTime();
    return batches.stream()
        .map(batch ->
            new PendingBatch(
                batch.virtual.id(),
                batch.virtual.bytes(),
                (nowNanos - batch.startNanos) / 1_000_000,
                batch.frozen != null,
                batch.virtual.commits()))
        .toList();
  }

  private synchronized List<Batch> readable() {
    List<Batch> batches = new ArrayList<>(confirming);
    batches.addAll(waiting);
    if (current != null) {
      batches.add(current);
    }
    return batches;
  }

  public Optional<byte[]> chunk(BlobId blob, long offset, int length) throws IOException {
    for (Batch batch : readable()) {
      if (batch.virtual.id().equals(blob)) {
        try {
          return Optional.of(batch.virtual.chunk(offset, length));
        } catch (AlreadyClosedException e) {
          return Optional.empty();
        } catch (CorruptObjectException e) {
          engine.fail(e); // this node's disk: the log has what is lost here
          throw e;
        }
      }
    }
    return Optional.empty();
  }

  public Optional<Path> localFile(String file) {
    for (Batch batch : readable()) {
      Optional<Path> found = batch.virtual.localFile(file);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  public synchronized void close() throws IOException {
    List<VirtualBatch> all = new ArrayList<>();
    readable().forEach(batch -> all.add(batch.virtual));
    confirming.clear();
    waiting.clear();
    current = null;
    IOUtils.close(all);
  }
}
