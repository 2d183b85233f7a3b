package dev.holdfast.api.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.inspection.FieldUsageInspection;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What field data and suggesters take by field, in bytes, and how many vectors there are.
public record FieldFigures(
    SortedMap<String, Long> fieldData,
    SortedMap<String, Long> completion,
    long denseVectors,
    long sparseVectors) {
  public static final FieldFigures NONE = new FieldFigures(new TreeMap<>(), new TreeMap<>(), 0, 0);

  private static final Logger LOG = LoggerFactory.getLogger(FieldFigures.class);
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  /// Sections of statistics that show them.
  public static final Set<String> METRICS =
      Set.of("fielddata", "completion", "dense_vector", "sparse_vector");

  private static final Set<String> TYPES = Set.of("completion", "dense_vector", "sparse_vector");

  /// Which fields are shown one by one: patterns.
  public record Shown(List<String> fieldData, List<String> completion) {
    static final Shown NONE = new Shown(List.of(), List.of());

    static Shown of(ApiRequest request) {
      return new Shown(
          patterns(request, "fielddata_fields"), patterns(request, "completion_fields"));
    }

    private static List<String> patterns(ApiRequest request, String own) {
      return request.list(request.has(own) ? own : "fields");
    }
  }

  /// Who is asked about a shard.
  @FunctionalInterface
  public interface Asked {
    ObjectNode ask(ShardId shard, String question, ObjectNode body) throws IOException;
  }

  /// Of those of some shards that have any. Statistics do not wait for shards that cannot be
  /// searched: what is not known soon is left out.
  ///
  /// @param asked whether open or not, or, for statistics that are asked for again and again, only
  ///   where they are open
  public static Map<ShardId, FieldFigures> of(
      Asked asked, Clock clock, Collection<ShardFigures> shards) {
    Map<ShardId, FieldFigures> found = new HashMap<>();
    long endNanos = clock.nanoTime() + WAIT_MAX.toNanos();
    StopSignal soon = StopSignal.beside(() -> clock.nanoTime() - endNanos > 0, clock);
    for (ShardFigures shard : shards) {
      StopSignal.lookForCancelling();
      FieldFigures figures =
          shard.isStarted()
              ? soon.<FieldFigures, RuntimeException>during(
                  () -> of(asked, shard.index(), shard.shard()))
              : NONE;
      if (!figures.equals(NONE)) {
        found.put(shard.shard(), figures);
      }
    }
    return found;
  }

  /// Of a shard that can be searched here or elsewhere; nothing while it cannot.
  public static FieldFigures of(Asked asked, IndexMetadata index, ShardId shard) {
    if (!index.isOpen() || !hasAny(index.mapping())) {
      return NONE;
    }
    try {
      ObjectNode found = asked.ask(shard, FieldUsageInspection.NAME, Json.object());
      return new FieldFigures(
          bytes(found.path(FieldUsageInspection.FIELD_DATA)),
          bytes(found.path(FieldUsageInspection.COMPLETION)),
          found.path(FieldUsageInspection.DENSE_VECTORS).asLong(),
          found.path(FieldUsageInspection.SPARSE_VECTORS).asLong());
    } catch (Refusal | IOException e) {
      LOG.debug("fields are not counted [shard={}]", shard, e);
      return NONE;
    }
  }

  /// Whether a mapping has a field that is counted.
  private static boolean hasAny(JsonNode mapping) {
    return mapping.findValues("fielddata").stream().anyMatch(JsonNode::asBoolean)
        || mapping.findValuesAsText("type").stream().anyMatch(TYPES::contains);
  }

  private static SortedMap<String, Long> bytes(JsonNode fields) {
    SortedMap<String, Long> bytes = new TreeMap<>();
    fields.properties().forEach(field -> bytes.put(field.getKey(), field.getValue().longValue()));
    return bytes;
  }

  /// Those of some shards together.
  public static FieldFigures sum(
      Map<ShardId, FieldFigures> found, Collection<ShardFigures> shards) {
    return sum(shards.stream().map(one -> found.getOrDefault(one.shard(), NONE)).toList());
  }

  /// All together.
  public static FieldFigures sum(Collection<FieldFigures> all) {
    SortedMap<String, Long> fieldData = new TreeMap<>();
    SortedMap<String, Long> completion = new TreeMap<>();
    long dense = 0;
    long sparse = 0;
    for (FieldFigures one : all) {
      one.fieldData.forEach((field, bytes) -> fieldData.merge(field, bytes, Long::sum));
      one.completion.forEach((field, bytes) -> completion.merge(field, bytes, Long::sum));
      dense += one.denseVectors;
      sparse += one.sparseVectors;
    }
    return new FieldFigures(fieldData, completion, dense, sparse);
  }

  void writeFieldData(StatisticsWriter figures, Shown shown) throws IOException {
    figures.bytes("memory_size", total(fieldData));
    figures.number("evictions", 0);
    fields(figures, fieldData, shown.fieldData, "memory_size");
    figures.object("global_ordinals", () -> figures.millis("build_time", 0));
  }

  void writeCompletion(StatisticsWriter figures, Shown shown) throws IOException {
    figures.bytes("size", total(completion));
    fields(figures, completion, shown.completion, "size");
  }

  private static long total(SortedMap<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void fields(
      StatisticsWriter figures, SortedMap<String, Long> bytes, List<String> patterns, String name)
      throws IOException {
    SortedMap<String, Long> wanted = new TreeMap<>(bytes);
    wanted
        .keySet()
        .removeIf(field -> patterns.stream().noneMatch(p -> Wildcards.matches(p, field)));
    if (!wanted.isEmpty()) {
      figures.object(
          "fields",
          () -> {
            for (Map.Entry<String, Long> one : wanted.entrySet()) {
              figures.object(one.getKey(), () -> figures.bytes(name, one.getValue()));
            }
          });
    }
  }
}
