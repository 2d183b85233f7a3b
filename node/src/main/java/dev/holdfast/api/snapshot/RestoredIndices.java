package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedIndex;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The indices and data streams of a snapshot as they come into a cluster state. A function of the
/// state: it is applied to the newest.
final class RestoredIndices {
  /// What patterns of ignored settings leave alone: an index has to have it.
  private static final Set<String> KEPT = kept();

  private final String repository;
  private final SnapshotManifest manifest;
  private final RestoreRequest request;

  /// Key of the snapshot whose blobs are lent; null where they are copied first.
  private final @Nullable String lender;

  private final SortedMap<String, IndexMetadata> restored = new TreeMap<>();
  private final Set<String> sources = new TreeSet<>();
  private final RestoredStreams streams;

  /// @param repository its name
  /// @param uuids makes one
  /// @param lender key of the snapshot, where restored shards are read in it until they are copied;
  ///   null where they are copied first
  /// @throws Refusal for what the snapshot does not have, and for settings that cannot be changed
  RestoredIndices(
      String repository,
      SnapshotManifest manifest,
      RestoreRequest request,
      Supplier<String> uuids,
      @Nullable String lender) {
    this.lender = lender;
    this.repository = repository;
    this.manifest = manifest;
    this.request = request;
    this.streams = new RestoredStreams(manifest, request);
    for (String name : request.settings().keySet()) {
      if (IndexSettings.FINAL.contains(name)) {
        throw refused("cannot modify setting [" + name + "] on restore");
      }
    }
    for (String name : KEPT) {
      if (request.names(name)) {
        throw refused("cannot remove setting [" + name + "] on restore");
      }
    }
    for (String name : meant()) {
      SnapshottedIndex index = manifest.indices().get(name);
      if (index != null) {
        String renamed =
            streams.isBehindOne(name) ? request.renamedBacking(name) : request.renamed(name);
        IndexMetadata begun = begun(index, renamed, uuids.get());
        sources.add(name);
        if (restored.put(begun.id().name(), begun) != null) {
          throw refused("indices are renamed to one name [" + begun.id().name() + "]");
        }
      }
    }
  }

  private static Set<String> kept() {
    Set<String> kept = new TreeSet<>(IndexSettings.FINAL);
    kept.add(IndexSettings.REPLICAS);
    return kept;
  }

  private Refusal refused(String why) {
    return new Refusal(
        ErrorType.SNAPSHOT_RESTORE,
        "[" + repository + ":" + manifest.name() + "/" + manifest.uuid() + "] " + why);
  }

  private SortedSet<String> meant() {
    List<String> all = List.copyOf(manifest.indices().keySet());
    SortedSet<String> names = new TreeSet<>();
    List<String> wanted =
        request.indices().isEmpty() ? List.of("_all") : NamedSnapshots.ofIndices(request.indices());
    for (String one : wanted) {
      if (one.startsWith("-")) {
        String left = one.substring(1);
        names.removeAll(NamedSnapshots.matching(all, List.of(left)));
        names.removeAll(streams.leave(left));
        continue;
      }
      List<String> found = NamedSnapshots.matching(all, List.of(one));
      Set<String> ofStreams = streams.take(one);
      names.addAll(found);
      names.addAll(ofStreams);
      boolean isPlain = one.indexOf('*') < 0 && !one.equals("_all");
      if (isPlain && found.isEmpty() && ofStreams.isEmpty() && !request.ignoresUnavailable()) {
        throw Refusal.indexNotFound(one);
      }
    }
    return names;
  }

  private IndexMetadata begun(SnapshottedIndex index, String name, String uuid) {
    IndexMetadata source = index.metadata();
    IndexNameRules.requireIndexName(name);
    List<Long> terms = new ArrayList<>();
    for (int number = 0; number < source.shards(); number++) {
      SnapshottedShard shard = index.shards().get(number);
      if (!shard.isThere() && !request.isPartial()) {
        throw refused(
            "index [" + source.id().name() + "] wasn't fully snapshotted - cannot restore");
      }
      long ofCommit = shard.home() == null ? 0 : shard.home().primaryTerm();
      terms.add(Math.max(source.primaryTerms().get(number), ofCommit));
    }
    SortedMap<String, Object> settings = new TreeMap<>(source.settings());
    settings.keySet().removeIf(one -> request.isIgnored(one) && !KEPT.contains(one));
    settings.putAll(request.settings());
    settings.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    settings.put("index.uuid", uuid);
    new LifecycleSettings(settings).requireDate(name); // which renaming may have taken away
    SortedMap<String, ObjectNode> aliases = new TreeMap<>();
    if (request.hasAliases()) {
      source
          .aliases()
          .forEach((alias, options) -> {
            String renamed = request.renamedAlias(alias);
            IndexNameRules.requireAliasName(renamed);
            aliases.put(renamed, options);
          });
    }
    IndexOrigin origin =
        new IndexOrigin(
            source.id().uuid(),
            source.shards(),
            new SnapshotReference(repository, manifest.name(), manifest.uuid()),
            lent(index));
    IndexSplit split = source.split();
    boolean isUnderWay = split != null && split.isUnderWay(source.shards());
    return new IndexMetadata(
        new IndexId(name, uuid),
        source.shards(),
        settings,
        source.settingsVersion() + 1,
        source.mapping(),
        source.mappingVersion() + 1,
        aliases,
        true,
        terms,
        origin,
        source.customs(),
        split != null && isUnderWay ? split.restored(source.shards()) : null);
  }

  /// The shards that begin with anything.
  private @Nullable LentBlobs lent(SnapshottedIndex index) {
    SortedSet<Integer> shards = new TreeSet<>();
    for (int number = 0; lender != null && number < index.shards().size(); number++) {
      if (!index.shards().get(number).blobs().isEmpty()) {
        shards.add(number);
      }
    }
    return lender == null || shards.isEmpty() ? null : new LentBlobs(lender, shards);
  }

  /// The restored indices by name.
  SortedMap<String, IndexMetadata> all() {
    return restored;
  }

  /// Refuses settings without which a mapping makes no sense: an analyser that it names.
  ///
  /// @throws Refusal `snapshot_restore_exception`
  void requireReadable(MappingFactory mappings) {
    if (request.settings().isEmpty() && request.ignored().isEmpty()) {
      return;
    }
    for (IndexMetadata index : restored.values()) {
      try {
        Mapping _ = mappings.of(index);
      } catch (Refusal e) {
        throw refused(
            "cannot restore index [" + index.id().name() + "] with these settings: " + e.reason());
      }
    }
  }

  /// A state with them.
  ///
  /// @throws Refusal when a name is taken by something that is not closed
  ClusterState addedTo(ClusterState state) {
    ClusterState changed = state;
    for (IndexMetadata index : restored.values()) {
      IndexMetadata there = changed.indices().get(index.id().name());
      IndexMetadata added = index;
      if (there != null && !there.id().equals(index.id())) {
        requireReplaceable(changed, there, index);
        changed = changed.withoutIndex(index.id().name());
        // Without those of the snapshot the name keeps those that it has.
        added = request.hasAliases() ? index : index.withAliases(there.aliases());
      }
      changed = IndexCreation.add(changed, added);
    }
    changed = streams.addedTo(changed, sources);
    if (request.hasGlobalState()) {
      changed = GlobalState.restored(changed, manifest.about().path("global"));
    }
    return changed;
  }

  private void requireReplaceable(ClusterState state, IndexMetadata there, IndexMetadata index) {
    String name = there.id().name();
    if (there.isOpen()) {
      throw refused(
          "cannot restore index ["
              + name
              + "] because an open index with same name already exists in the cluster. Either close"
              + " or delete the existing index or restore the index under a different name by"
              + " providing a rename pattern and replacement name");
    }
    if (there.shards() != index.shards()) {
      throw refused(
          "cannot restore index ["
              + name
              + "] with ["
              + there.shards()
              + "] shards from a snapshot of index ["
              + name
              + "] with ["
              + index.shards()
              + "] shards");
    }
    DataStream stream = DataStreams.owning(state, name);
    if (stream != null) {
      throw refused("index [" + name + "] is behind the data stream [" + stream.name() + "]");
    }
  }
}
