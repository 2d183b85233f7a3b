package dev.holdfast.search.fielduse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.TargetJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// How often searches of one copy of a shard read each field.
///
/// @param node that has the copy
/// @param trackingId tells these counts from those of the copies before and after
/// @param fields counts by field, then by what was read of it (`any`, `terms`, `doc_values`, …)
public record FieldUseOfCopy(
    ShardId shard,
    String node,
    String trackingId,
    long startedMillis,
    SortedMap<String, SortedMap<String, Long>> fields) {
  public FieldUseOfCopy {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /// @param answers to `NodeQuestion#FIELD_USE` by node
  public static List<FieldUseOfCopy> read(Map<String, ObjectNode> answers) {
    List<FieldUseOfCopy> all = new ArrayList<>();
    answers.forEach((node, answer) -> {
      for (JsonNode one : answer.path("copies")) {
        all.add(
            new FieldUseOfCopy(
                TargetJson.shard(one),
                node,
                one.path("tracking_id").asText(),
                one.path("tracking_started_at_millis").asLong(),
                fields(one.path("fields"))));
      }
    });
    return all;
  }

  private static SortedMap<String, SortedMap<String, Long>> fields(JsonNode json) {
    SortedMap<String, SortedMap<String, Long>> fields = new TreeMap<>();
    json.properties()
        .forEach(field -> {
          SortedMap<String, Long> counts = new TreeMap<>();
          field
              .getValue()
              .properties()
              .forEach(count -> counts.put(count.getKey(), count.getValue().asLong()));
          fields.put(field.getKey(), counts);
        });
    return fields;
  }
}
