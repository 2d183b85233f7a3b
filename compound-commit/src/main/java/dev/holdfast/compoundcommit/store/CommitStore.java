package dev.holdfast.compoundcommit.store;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.blob.BlobTail;
import dev.holdfast.compoundcommit.blob.CommitDirectory;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.NewerFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The batched compound commits of a shard in the object store (§4).
public final class CommitStore {
  /// How often the newest blob may be deleted between the LIST that finds it and the GET.
  private static final int VANISHED_MAX = 5;

  private static final Logger LOG = LoggerFactory.getLogger(CommitStore.class);

  private static final int LIST_PAGE = 1000;

  /// How much of the end of a blob tells it from any other: trailer, directory and checksums.
  private static final int COMPARED_BYTES = 1 << 20;

  private final ObjectStore store;
  private final ShardId shard;
  private final AtomicReference<@Nullable BlobTail> newestTail = new AtomicReference<>();

  public CommitStore(ObjectStore store, ShardId shard) {
    this.store = store;
    this.shard = shard;
  }

  /// The newest commit of the newest blob: one LIST and one suffix GET. Empty when the shard has
  /// none of its own.
  ///
  /// @throws NewerFormatException when a newer Holdfast wrote it
  /// @throws CorruptObjectException when it is damaged: never passed over for an older one
  public Optional<CompoundCommit> newest() throws IOException {
    for (int attempt = 1; ; attempt++) {
      BlobId first = first();
      if (first == null || first.isInherited()) {
        return Optional.empty();
      }
      try {
        return Optional.of(newestOf(first));
      } catch (StoreException.NotFound e) {
        if (attempt == VANISHED_MAX) {
          throw e;
        }
      }
    }
  }

  /// As [#newest()], and with proof that it is: what the cluster state knows of is there, and so
  /// are all blobs that the commit needs. One LIST and one suffix GET.
  ///
  /// @param marked the newest blob that is known to have been in the store; null for none
  /// @throws LostObjectException when a blob is missing
  public Optional<CompoundCommit> newest(@Nullable BlobId marked) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Page page = firstPage();
      List<BlobId> there = page.blobs;
      boolean hasOwn = !there.isEmpty() && !there.getFirst().isInherited();
      if (marked != null && (!hasOwn || there.getFirst().compareTo(marked) < 0)) {
        throw new LostObjectException(
            marked.key(shard),
            "the newest blob of a shard is missing from the store [shard="
                + shard
                + ", newest_found="
                + (hasOwn ? there.getFirst() : "none")
                + "]");
      }
      if (!hasOwn) {
        return Optional.empty();
      }
      try {
        CompoundCommit newest = newestOf(there.getFirst());
        BlobId missing = missing(newest, page);
        if (missing != null) {
          throw new LostObjectException(
              missing.key(shard),
              "a blob that the newest commit of a shard needs is missing from the store [shard="
                  + shard
                  + ", commit="
                  + newest.home()
                  + "]");
        }
        return Optional.of(newest);
      } catch (StoreException.NotFound e) {
        if (attempt == VANISHED_MAX) {
          throw e;
        }
      }
    }
  }

  /// The newest commit that can be opened with what there is: those that cannot be read, or that
  /// need a blob that is missing, are passed over.
  public Optional<CompoundCommit> newestWhole() throws IOException {
    Page page = firstPage();
    for (BlobId blob : page.blobs) {
      if (blob.isInherited()) {
        return Optional.empty();
      }
      try {
        CompoundCommit newest = newestOf(blob);
        if (missing(newest, page) == null) {
          return Optional.of(newest);
        }
        LOG.warn("a commit lacks a blob and is passed over [shard={}, blob={}]", shard, blob);
      } catch (CorruptObjectException | StoreException.NotFound e) {
        LOG.warn("a blob cannot be read and is passed over [shard={}, blob={}]", shard, blob, e);
      }
    }
    return Optional.empty();
  }

  /// The first blobs of the shard.
  ///
  /// @param isWhole there are no others
  private record Page(List<BlobId> blobs, boolean isWhole) {}

  /// The first that a LIST shows, in one unless a thousand objects in front of them are no blobs.
  private Page firstPage() throws IOException {
    String after = "";
    while (true) {
      List<ObjectStore.Listed> listed = store.list(shard.folder(), after, LIST_PAGE);
      List<BlobId> blobs = new ArrayList<>();
      listed.forEach(one -> blobs.addAll(id(one.key()).stream().toList()));
      boolean isWhole = listed.size() < LIST_PAGE;
      if (isWhole || !blobs.isEmpty()) {
        return new Page(blobs, isWhole);
      }
      after = listed.getLast().key();
    }
  }

  /// The newest blob, one that was inherited too: one LIST of one key; null when there is none.
  private @Nullable BlobId first() throws IOException {
    List<ObjectStore.Listed> first = store.list(shard.folder(), "", 1);
    if (first.isEmpty()) {
      return null;
    }
    Optional<BlobId> id = id(first.getFirst().key());
    if (id.isPresent()) {
      return id.get();
    }
    Page page = firstPage();
    return page.blobs.isEmpty() ? null : page.blobs.getFirst();
  }

  /// A blob that the commit needs and that is not there; null for none among those that a page of a
  /// LIST would show. What is lent is there where it is read.
  private @Nullable BlobId missing(CompoundCommit commit, Page page) throws IOException {
    Set<BlobId> shown = new HashSet<>(page.blobs);
    LentBlobKeys lent = new LentBlobKeys(store);
    for (BlobId blob : commit.blobs()) {
      boolean isShown = page.isWhole || blob.compareTo(page.blobs.getLast()) > 0;
      if (isShown
          && !shown.contains(blob)
          && !(blob.isInherited() && lent.areThere(blob.key(shard)))) {
        return blob;
      }
    }
    return null;
  }

  /// The newest commit of a blob, which who asks knows to be the newest: one suffix GET.
  public CompoundCommit newestOf(BlobId id) throws IOException {
    String key = id.key(shard);
    return BlobTail.read(
        store,
        key,
        tail -> {
          CompoundCommit newest = commits(id, tail).getLast();
          if (store.localFile(key).isEmpty()) {
            newestTail.set(tail); // its hot region is what will be read next
          }
          return newest;
        });
  }

  /// Whether the shard has a commit of its own: one LIST.
  public boolean hasOwn() throws IOException {
    return newestBlob() != null;
  }

  /// Whether no write of the shard was ever acknowledged: the state knows of no blob, and there is
  /// none.
  public boolean isUnwritten(ClusterState state) throws IOException {
    return UploadMarks.isUntouched(state, shard)
        || (UploadMarks.isUnmarked(state, shard) && !hasOwn());
  }

  /// Every commit of the shard in a blob's directory, oldest first; none in an inherited blob.
  public List<CompoundCommit> commits(BlobId id) throws IOException {
    String key = id.key(shard);
    return BlobTail.read(store, key, tail -> commits(id, tail));
  }

  /// What a blob holds: one suffix GET.
  public BlobContents contents(BlobId id) throws IOException {
    return BlobTail.read(
        store,
        id.key(shard),
        tail -> new BlobContents(id, tail.blobLength(), tail.hotLength(), commits(id, tail)));
  }

  /// The newest blob of the shard's own: one LIST; null when it has none.
  public @Nullable BlobId newestBlob() throws IOException {
    BlobId newest = first();
    return newest == null || newest.isInherited() ? null : newest;
  }

  /// What a blob of the shard's own says of its index: one suffix GET; empty when it says nothing.
  public byte[] carried(BlobId id) throws IOException {
    return BlobTail.read(store, id.key(shard), tail -> directory(tail).carried());
  }

  /// The newest commit of an inherited blob, as the shard that it was copied from had it.
  public CompoundCommit inherited(BlobId id) throws IOException {
    return BlobTail.read(store, id.key(shard), tail -> tail.directory().commits().getLast());
  }

  private static List<CompoundCommit> commits(BlobId id, BlobTail tail) throws IOException {
    if (id.isInherited()) {
      return List.of(); // its directory is of another shard
    }
    return directory(tail).commits();
  }

  private static CommitDirectory directory(BlobTail tail) throws IOException {
    CommitDirectory directory = tail.directory();
    directory.requireIsOf(tail.key());
    return directory;
  }

  /// Writes the blob. Its own earlier success counts as success.
  ///
  /// @throws IOException when another blob of this name exists: somebody else writes this shard
  ///   under our term
  /// @throws CorruptObjectException when this node's disk has damaged it
  public void upload(VirtualBatch.Frozen batch) throws IOException {
    String key = batch.id().key(shard);
    batch.body().check();
    switch (store.putIfAbsent(key, batch.body())) {
      case Creation.Created _ -> {}
      case Creation.AlreadyExists _ -> {
        if (!isThere(key, batch.body())) {
          throw new IOException(
              "another blob of this name exists, somebody writes under our term [shard="
                  + shard
                  + ", key="
                  + key
                  + "]");
        }
      }
    }
  }

  /// The uploaded blob, read by range.
  public Blob blob(BlobId id) {
    return new StoredBlob(store, id.key(shard), newestTail);
  }

  /// Every blob of the shard, newest first.
  public List<BlobId> list() throws IOException {
    return new ArrayList<>(sizes().reversed().keySet());
  }

  /// Bytes of every blob of the shard.
  public SortedMap<BlobId, Long> sizes() throws IOException {
    SortedMap<BlobId, Long> sizes = new TreeMap<>();
    String after = "";
    while (true) {
      List<ObjectStore.Listed> page = store.list(shard.folder(), after, LIST_PAGE);
      for (ObjectStore.Listed listed : page) {
        id(listed.key()).ifPresent(id -> sizes.put(id, listed.length()));
      }
      if (page.size() < LIST_PAGE) {
        return sizes;
      }
      after = page.getLast().key();
    }
  }

  public void delete(Collection<BlobId> ids) throws IOException {
    if (!ids.isEmpty()) {
      store.deleteAll(ids.stream().map(id -> id.key(shard)).toList());
    }
  }

  /// Empty for what somebody else has put there: it is nobody's, and stays.
  private Optional<BlobId> id(String key) {
    Optional<BlobId> id = BlobId.parse(shard, key);
    if (id.isEmpty()) {
      LOG.debug("no blob of a shard is passed over [shard={}, key={}]", shard, key);
    }
    return id;
  }

  private boolean isThere(String key, ObjectBody body) throws IOException {
    int length = (int) Math.min(COMPARED_BYTES, body.length());
    ObjectStore.Suffix there = store.getSuffix(key, length);
    if (there.objectLength() != body.length()) {
      return false;
    }
    try (InputStream ours = body.open()) {
      ours.skipNBytes(body.length() - length);
      return Arrays.equals(ours.readAllBytes(), there.bytes());
    }
  }
}
