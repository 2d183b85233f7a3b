package dev.holdfast.api.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.inspection.FieldUsageInspection;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What field data and suggesters take by field, in bytes.
public record FieldMemory(SortedMap<String, Long> fieldData, SortedMap<String, Long> completion) {
  public static final FieldMemory NONE = new FieldMemory(new TreeMap<>(), new TreeMap<>());

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

  /// Of a shard that can be searched here or elsewhere; nothing while it cannot.
  public static FieldMemory of(Searches searches, IndexMetadata index, ShardId shard)
      throws IOException {
    if (!index.isOpen() || !hasAny(index.mapping())) {
      return NONE;
    }
    try {
      ObjectNode found = searches.ask(shard, FieldUsageInspection.NAME, Json.object());
      return new FieldMemory(
          bytes(found.path(FieldUsageInspection.FIELD_DATA)),
          bytes(found.path(FieldUsageInspection.COMPLETION)));
    } catch (Refusal e) {
      return NONE;
    }
  }

  /// Whether a mapping has a field that could take any.
  private static boolean hasAny(JsonNode mapping) {
    return mapping.findValues("fielddata").stream().anyMatch(JsonNode::asBoolean)
        || mapping.findValuesAsText("type").contains("completion");
  }

  private static SortedMap<String, Long> bytes(JsonNode fields) {
    SortedMap<String, Long> bytes = new TreeMap<>();
    fields.properties().forEach(field -> bytes.put(field.getKey(), field.getValue().longValue()));
    return bytes;
  }

  /// All together.
  public static FieldMemory sum(Collection<FieldMemory> all) {
    FieldMemory sum = new FieldMemory(new TreeMap<>(), new TreeMap<>());
    for (FieldMemory one : all) {
      one.fieldData.forEach((field, bytes) -> sum.fieldData.merge(field, bytes, Long::sum));
      one.completion.forEach((field, bytes) -> sum.completion.merge(field, bytes, Long::sum));
    }
    return sum;
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
