package dev.holdfast.query.suggest;

import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;

/// Reads numbers of suggestions, and refuses those that mean nothing.
final class SuggestNumbers {
  private SuggestNumbers() {}

  /// Reads how many suggestions each shard contributes: no fewer than are answered.
  static int shardSize(JsonObject json, int size) {
    int given = json.integer("shard_size", size);
    if (given <= 0) {
      throw Refusal.badArgument("ShardSize must be positive but was: " + given);
    }
    return Math.max(size, given);
  }

  /// @param told how the refusal names it
  static int atLeastOne(JsonObject json, String name, String told) {
    int given = json.integer(name, 1);
    if (given < 1) {
      throw Refusal.badArgument(told + " must be >= 1");
    }
    return given;
  }

  static double positive(JsonObject json, String name, String told, double whenAbsent) {
    double given = json.doubleValue(name, whenAbsent);
    if (!(given > 0)) {
      throw Refusal.badArgument(told + " must be > 0.0");
    }
    return given;
  }

  static double confidence(JsonObject json) {
    double confidence = json.doubleValue("confidence", 1);
    if (confidence < 0) {
      throw Refusal.badArgument("confidence must be >= 0.0");
    }
    return confidence;
  }
}
