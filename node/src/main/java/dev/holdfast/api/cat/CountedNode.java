package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import org.jspecify.annotations.Nullable;

/// What a node tells of itself, or a part of that, as cells of a table; null for what it does not
/// tell.
final class CountedNode {
  private final JsonNode answer;

  /// @param answer null when it did not answer in time
  CountedNode(@Nullable JsonNode answer) {
    this.answer = answer == null ? Json.object() : answer;
  }

  @Nullable Long number(String pointer) {
    JsonNode value = answer.at(pointer);
    return value.isNumber() ? (Long) value.asLong() : null;
  }

  @Nullable Double decimal(String pointer) {
    JsonNode value = answer.at(pointer);
    return value.isNumber() ? (Double) value.asDouble() : null;
  }

  @Nullable String text(String pointer) {
    JsonNode value = answer.at(pointer);
    return value.isTextual() ? value.asText() : null;
  }

  @Nullable ByteSize bytes(String pointer) {
    Long bytes = number(pointer);
    return bytes == null || bytes < 0 ? null : new ByteSize(bytes);
  }

  /// What is not free of a disk.
  @Nullable ByteSize used(String disk) {
    Long total = number(disk + "/total_in_bytes");
    Long free = number(disk + "/free_in_bytes");
    return total == null || free == null ? null : new ByteSize(Math.max(0, total - free));
  }

  /// The same of all of it, in percent.
  @Nullable Double usedPercent(String disk) {
    Long total = number(disk + "/total_in_bytes");
    Long free = number(disk + "/free_in_bytes");
    return total == null || free == null ? null : 100.0 * (total - free) / Math.max(1, total);
  }
}
