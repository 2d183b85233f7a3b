package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.TimeValue;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;

/// The conditions of a rollover: what they may be, and whether an index meets them.
record RolloverConditions(IndexingShards shards, Clock clock) {
  private static final List<String> BOUNDS = List.of("max_", "min_");

  /// Conditions are read before anybody looks for what they are about.
  ///
  /// @throws Refusal `x_content_parse_exception`
  static void requireReadable(JsonNode conditions) {
    for (var one : conditions.properties()) {
      try {
        read(one.getKey(), one.getValue());
      } catch (Refusal e) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE, "[rollover] failed to parse field [conditions]", e);
      }
    }
  }

  private static void read(String name, JsonNode value) {
    boolean isBound = BOUNDS.stream().anyMatch(name::startsWith);
    String of = isBound ? name.substring(BOUNDS.getFirst().length()) : "";
    boolean isNumber =
        switch (of) {
          case "docs", "primary_shard_docs" -> true;
          case "age", "size", "primary_shard_size" -> false;
          default ->
              throw new Refusal(
                  ErrorType.X_CONTENT_PARSE, "[rollover_conditions] unknown field [" + name + "]");
        };
    if (!value.isTextual() && !(isNumber && value.isNumber())) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[rollover_conditions] "
              + name
              + " doesn't support values of type: "
              + JsonObject.token(value));
    }
    try {
      if (isNumber) {
        long _ = whole(name, value);
      } else if (of.equals("age")) {
        var _ = TimeValue.parse(name, value.asText());
      } else {
        var _ = ByteSize.parse(name, value.asText());
      }
    } catch (Refusal | IllegalArgumentException e) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[rollover_conditions] failed to parse field [" + name + "]: " + e.getMessage(),
          e);
    }
  }

  /// Minima alone would never let an index roll over for a reason.
  static void requireMaximum(JsonNode conditions) {
    boolean hasMaximum = false;
    for (var one : conditions.properties()) {
      hasMaximum |= !one.getKey().startsWith("min_");
    }
    if (!conditions.isEmpty() && !hasMaximum) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: at least one max_* rollover condition must be set when using min_*"
              + " conditions;");
    }
  }

  /// Whether an index meets one.
  boolean hold(IndexMetadata index, String condition, JsonNode value) throws IOException {
    List<ShardFigures> figures = ShardFigures.of(shards, List.of(index));
    long documents = figures.stream().mapToLong(f -> f.counted().documents()).sum();
    long mostDocuments = figures.stream().mapToLong(f -> f.counted().documents()).max().orElse(0);
    boolean isEmpty = documents == 0;
    long bytes = isEmpty ? 0 : figures.stream().mapToLong(f -> f.counted().storeBytes()).sum();
    long mostBytes =
        isEmpty ? 0 : figures.stream().mapToLong(f -> f.counted().storeBytes()).max().orElse(0);
    long ageMillis =
        clock.epochMillis() - Long.parseLong(index.setting("index.creation_date", "0"));
    String text = value.asText();
    return switch (condition) {
      case "max_docs", "min_docs" -> documents >= whole(condition, value);
      case "max_primary_shard_docs", "min_primary_shard_docs" ->
          mostDocuments >= whole(condition, value);
      case "max_age", "min_age" -> ageMillis >= TimeValue.parse(condition, text).toMillis();
      case "max_size", "min_size" -> bytes >= ByteSize.parse(condition, text).bytes();
      case "max_primary_shard_size", "min_primary_shard_size" ->
          mostBytes >= ByteSize.parse(condition, text).bytes();
      default -> throw new IllegalStateException("a condition that was not read: " + condition);
    };
  }

  private static long whole(String condition, JsonNode value) {
    try {
      return Long.parseLong(value.asText());
    } catch (NumberFormatException e) {
      throw Refusal.badArgument(
          "failed to parse [" + condition + "] with value [" + value.asText() + "]");
    }
  }
}
