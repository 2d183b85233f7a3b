package dev.holdfast.indexing.recovery;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.DeletedIndices;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.json.CarriedMetadata;
import dev.holdfast.clusterstate.log.StateRepair;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.sweep.BlobFolders;
import dev.holdfast.indexing.sweep.Trash;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes a cluster state out of what is left of one and of what the shards' own blobs carry
/// (decision 017). Reads only; which log each shard's newest commit points at stays as it is.
public final class StateRebuild {
  /// How much primary terms grow: an owner that the lost state named, and that has uploaded nothing
  /// yet, is below.
  private static final long TERMS_SKIPPED = 1000;

  /// How much the state's version grows: those that were lost are never used again.
  private static final long VERSIONS_SKIPPED = 1000;

  /// So many of a shard's newest blobs are looked at for one that says which index it is of.
  private static final int BLOBS_MAX = 5;

  private final ObjectStore store;
  private final List<String> notes = new ArrayList<>();
  private final List<ShardId> missing = new ArrayList<>();

  public StateRebuild(ObjectStore store) {
    this.store = store;
  }

  /// What was made.
  ///
  /// @param state without members and assignments
  /// @param newestTerm of any state that a blob was written under
  /// @param notes what was found and what is lost, a line each
  /// @param missing shards that have had an owner and have no blob of their own
  public record Rebuilt(
      ClusterState state, long newestTerm, List<String> notes, List<ShardId> missing) {
    public Rebuilt {
      notes = List.copyOf(notes);
      missing = List.copyOf(missing);
    }
  }

  /// A folder of blobs.
  ///
  /// @param newest of its own; empty when all are inherited
  private record Folder(ShardId shard, Optional<BlobId> newest, Optional<CarriedMetadata> says) {}

  /// @param left of the state; its customs and settings are kept
  public Rebuilt rebuild(StateRepair.Remnant left) throws IOException, InterruptedException {
    Optional<ClusterState> remnant = left.state();
    Map<String, SortedMap<Integer, Folder>> folders = folders();
    List<CarriedMetadata> said =
        folders.values().stream()
            .flatMap(ofIndex -> newest(ofIndex).stream())
            .sorted(CarriedMetadata.BY_AGE.reversed())
            .toList();
    long version = remnant.map(ClusterState::version).orElse(0L);
    long term = remnant.map(ClusterState::term).orElse(0L);
    for (CarriedMetadata carried : said) {
      version = Math.max(version, carried.stateVersion());
      term = Math.max(term, carried.stateTerm());
    }
    SortedMap<String, IndexMetadata> indices = new TreeMap<>();
    remnant.ifPresent(state -> indices.putAll(state.indices()));
    said.forEach(carried -> choose(indices, left, carried));
    indices.replaceAll(
        (_, index) -> withTerms(index, folders.getOrDefault(index.id().uuid(), new TreeMap<>())));
    noteFolders(folders, indices, remnant);
    ClusterState base = remnant.orElseGet(() -> ClusterState.empty(""));
    String uuid =
        base.clusterUuid().isEmpty() && !said.isEmpty()
            ? said.getFirst().clusterUuid()
            : base.clusterUuid();
    if (remnant.isEmpty()) {
      notes.add(
          "lost: cluster settings, templates, pipelines, scripts and synonyms: no commit carries"
              + " them");
    }
    ClusterState state =
        new ClusterState(
            term,
            version + VERSIONS_SKIPPED,
            uuid,
            base.settings(),
            indices,
            base.customs(),
            new TreeMap<>(),
            new TreeMap<>(),
            base.unknown());
    return new Rebuilt(state, term, notes, missing);
  }

  /// Copies what lies in the trash of an index back to where it was; what is there already stays.
  ///
  /// @return how many objects
  public static long fromTrash(ObjectStore store, String uuid) throws IOException {
    return Trash.restore(store, uuid);
  }

  private Map<String, SortedMap<Integer, Folder>> folders()
      throws IOException, InterruptedException {
    Map<String, SortedMap<Integer, Folder>> folders = new HashMap<>();
    long foreign =
        new BlobFolders(store)
            .visitAll((shard, blobs) ->
                folders
                    .computeIfAbsent(shard.index().uuid(), _ -> new TreeMap<>())
                    .put(shard.number(), folder(shard, blobs)));
    if (foreign > 0) {
      notes.add("left alone: objects that are no blobs of any shard [objects=" + foreign + "]");
    }
    return folders;
  }

  private Folder folder(ShardId shard, List<BlobId> blobs) throws IOException {
    List<BlobId> own =
        blobs.stream()
            .filter(blob -> !blob.isInherited())
            .sorted(Comparator.reverseOrder())
            .toList();
    CommitStore commits = new CommitStore(store, shard);
    for (BlobId blob : own.subList(0, Math.min(BLOBS_MAX, own.size()))) {
      try {
        byte[] carried = commits.carried(blob);
        if (carried.length > 0) {
          return new Folder(
              shard, own.stream().findFirst(), Optional.of(CarriedMetadata.read(carried)));
        }
      } catch (StoreException.Unavailable e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        notes.add("cannot be read: " + blob.key(shard) + ": " + e.getMessage());
      }
    }
    return new Folder(shard, own.stream().findFirst(), Optional.empty());
  }

  /// What the newest state said that any shard's blob carries.
  private static Optional<CarriedMetadata> newest(SortedMap<Integer, Folder> ofIndex) {
    return ofIndex.values().stream()
        .flatMap(folder -> folder.says.stream())
        .max(CarriedMetadata.BY_AGE);
  }

  /// Takes what a blob says of an index unless what is left of the state is as new. Newer ones come
  /// first.
  private void choose(
      SortedMap<String, IndexMetadata> indices, StateRepair.Remnant left, CarriedMetadata carried) {
    IndexMetadata index = carried.index();
    String uuid = index.id().uuid();
    String from =
        " [state_term=" + carried.stateTerm() + ", state_version=" + carried.stateVersion() + "]";
    if (left.state().isPresent() && DeletedIndices.contains(left.state().get(), uuid)) {
      notes.add("left out: " + index.id() + " was deleted");
      return;
    }
    Optional<IndexMetadata> known =
        indices.values().stream().filter(one -> one.id().uuid().equals(uuid)).findFirst();
    StateRepair.Age age = new StateRepair.Age(carried.stateTerm(), carried.stateVersion());
    if (known.isPresent() && (known.get().equals(index) || left.isAsNew(uuid, age))) {
      return;
    }
    IndexMetadata sameName = indices.get(index.id().name());
    if (sameName != null && !sameName.id().uuid().equals(uuid)) {
      notes.add(
          "left out: "
              + index.id()
              + from
              + ": an index of the same name is newer "
              + sameName.id());
      return;
    }
    known.ifPresent(older -> indices.remove(older.id().name()));
    indices.put(index.id().name(), index);
    notes.add("from its own commits: " + index.id() + from);
  }

  /// With primary terms above any that an owner may have written under.
  private IndexMetadata withTerms(IndexMetadata index, SortedMap<Integer, Folder> folders) {
    List<Long> terms = new ArrayList<>();
    for (int number = 0; number < index.shards(); number++) {
      long term = index.primaryTerms().get(number);
      for (Folder folder : folders.values()) {
        int shard = number;
        term =
            Math.max(
                term,
                folder
                    .says
                    .map(said -> said.index().primaryTerms())
                    .filter(said -> shard < said.size()) // it was added since
                    .map(said -> said.get(shard))
                    .orElse(0L));
      }
      Folder own = folders.get(number);
      Optional<BlobId> newest = own == null ? Optional.empty() : own.newest;
      boolean isMadeOfOthers = index.origin() != null || number >= index.shardsAtFirst();
      if (newest.isEmpty() && term > 0 && !isMadeOfOthers) {
        missing.add(new ShardId(index.id(), number));
        notes.add("missing: " + index.id() + " has no blob of shard " + number);
      }
      terms.add(Math.max(term, newest.map(BlobId::primaryTerm).orElse(0L)) + TERMS_SKIPPED);
    }
    return index.withPrimaryTerms(terms);
  }

  private void noteFolders(
      Map<String, SortedMap<Integer, Folder>> folders,
      SortedMap<String, IndexMetadata> indices,
      Optional<ClusterState> remnant) {
    for (Map.Entry<String, SortedMap<Integer, Folder>> folder : folders.entrySet()) {
      String uuid = folder.getKey();
      boolean isKnown =
          indices.values().stream().anyMatch(index -> index.id().uuid().equals(uuid))
              || newest(folder.getValue()).isPresent()
              || (remnant.isPresent() && DeletedIndices.contains(remnant.get(), uuid));
      if (!isKnown) {
        notes.add(
            "lost: nothing says which index this is of, its blobs are kept [uuid=" + uuid + "]");
      }
    }
  }
}
