package dev.holdfast.indexing.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.LenientMapping;
import dev.holdfast.document.mapping.tree.SourcePatterns;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The mapping of one index as writes use it: the newest one, grown by new fields, with builders
/// that are used again while it stays the same.
@SuppressWarnings("ReferenceEquality") // merging nothing new gives the very same mapping
public final class WriteMapping {
  private final Metadata metadata;
  private final MappingFactory factory;
  private final IndexId index;
  private final int buildersMax;
  private volatile @Nullable Known known;

  /// A mapping and idle builders for it.
  private record Known(
      long mappingVersion,
      long settingsVersion,
      Mapping mapping,
      ArrayBlockingQueue<BatchBuilder> builders) {}

  public WriteMapping(Metadata metadata, MappingFactory factory, IndexId index, int buildersMax) {
    this.metadata = metadata;
    this.factory = factory;
    this.index = index;
    this.buildersMax = buildersMax;
  }

  /// The newest mapping.
  ///
  /// @throws Refusal `index_not_found_exception` when the index was deleted
  public Mapping newest() {
    return known().mapping;
  }

  /// The newest mapping that there was: what is written of an index that is deleted meanwhile is
  /// written to the end, and whoever closes the shard throws it away.
  Mapping newestSoFar() {
    Known before = known;
    IndexMetadata now = metadata.current().indices().get(index.name());
    boolean isGone = now == null || !now.id().equals(index);
    return isGone && before != null ? before.mapping : newest();
  }

  /// The newest mapping, as lenient as it can be.
  public Mapping lenient() {
    IndexMetadata now = metadata();
    return LenientMapping.of(factory, now.mapping(), now.settings());
  }

  /// An empty builder for `mapping`; give it back when Lucene has consumed its columns.
  public BatchBuilder borrow(Mapping mapping) {
    Known now = known;
    BatchBuilder idle = now != null && now.mapping == mapping ? now.builders.poll() : null;
    return idle == null ? mapping.newBatch() : idle;
  }

  public void giveBack(Mapping mapping, BatchBuilder builder) {
    Known now = known;
    if (now != null && now.mapping == mapping) {
      builder.clear();
      now.builders.offer(builder); // one too many is left to the garbage collector
    }
  }

  /// Whether a real-time get may be answered with the source as it was written.
  public boolean keepsSource() {
    IndexMetadata of = metadata();
    JsonNode source = of.mapping().path("_source");
    return source.path("enabled").asBoolean(true)
        && SourcePatterns.read(source).keepsAll()
        && of.setting("index.mapping.source.mode", "stored").equalsIgnoreCase("stored");
  }

  /// Why documents bring no new fields; null where they may.
  public @Nullable Refusal whyClosed() {
    IndexMetadata of = metadata();
    return of.setting("index.blocks.metadata", "false").equals("true")
        ? new Refusal(
                ErrorType.CLUSTER_BLOCK,
                "index [" + index.name() + "] blocked by: [FORBIDDEN/9/index metadata (api)];")
            .with("index_uuid", index.uuid())
            .with("index", index.name())
        : null;
  }

  /// Frees what an idle index need not hold.
  public void forget() {
    known = null;
  }

  /// Merges new fields into the newest mapping of the cluster and returns it. An update that
  /// conflicts with what others did meanwhile is left out: its document is refused when it is
  /// scanned again.
  public Mapping grow(List<ObjectNode> updates) throws InterruptedException {
    return grow(_ -> updates);
  }

  /// Merges the fields that another index has in the newest state, if it is there. Nothing is
  /// merged when one of them conflicts.
  ///
  /// @param uuid of the other
  public void growLike(String uuid) throws InterruptedException {
    Mapping _ =
        grow(state ->
            state.indices().values().stream()
                .filter(other -> other.id().uuid().equals(uuid))
                .map(other -> other.mapping().get("properties"))
                .filter(fields -> fields != null)
                .map(fields -> Json.object().<ObjectNode>set("properties", fields))
                .toList());
  }

  private Mapping grow(Function<ClusterState, List<ObjectNode>> from) throws InterruptedException {
    metadata.update(
        "new fields of " + index,
        state -> {
          IndexMetadata before = metadata(state);
          List<ObjectNode> updates = from.apply(state);
          Mapping mapping = factory.of(before);
          Mapping grown = mapping;
          for (ObjectNode update : updates) {
            grown = mergedOrSame(grown, update);
          }
          return grown == mapping ? state : state.withIndex(before.withMapping(grown.toJson()));
        });
    return newest();
  }

  private static Mapping mergedOrSame(Mapping mapping, ObjectNode update) {
    try {
      return mapping.merge(update);
    } catch (Refusal conflict) {
      return mapping;
    }
  }

  /// The index's metadata now.
  public IndexMetadata metadata() {
    return metadata(metadata.current());
  }

  private IndexMetadata metadata(ClusterState state) {
    IndexMetadata found = state.indices().get(index.name());
    if (found == null || !found.id().equals(index)) {
      throw Refusal.indexNotFound(index.name());
    }
    return found;
  }

  private Known known() {
    IndexMetadata now = metadata();
    Known before = known;
    if (before != null
        && before.mappingVersion == now.mappingVersion()
        && before.settingsVersion == now.settingsVersion()) {
      return before;
    }
    Known newer =
        new Known(
            now.mappingVersion(),
            now.settingsVersion(),
            factory.of(now),
            new ArrayBlockingQueue<>(buildersMax));
    known = newer;
    return newer;
  }
}
