package dev.holdfast.query.aggregation.column;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.function.Supplier;

/// A member of a request whose value is read: what is wrong with it is told together with where it
/// stands.
public final class ParsedField {
  private ParsedField() {}

  /// @throws Refusal `x_content_parse_exception` around what `value` refused
  public static <T> T of(String kind, String name, Supplier<T> value) {
    try {
      return value.get();
    } catch (Refusal e) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "[" + kind + "] failed to parse field [" + name + "]", e);
    }
  }

  /// Refuses a value that a check does not let pass.
  public static void check(boolean isFine, String kind, String name, String reason) {
    if (!isFine) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[" + kind + "] failed to parse field [" + name + "]",
          Refusal.badArgument(reason));
    }
  }

  /// Buckets of each shard, as its request says; 0 when it does not.
  ///
  /// @param aggregation its name
  public static int shardSize(JsonObject body, String aggregation) {
    int size = body.integer("shard_size", 0);
    check(
        size > 0 || !body.has("shard_size"),
        body.context(),
        "shard_size",
        "[shardSize] must be greater than 0. Found [" + size + "] in [" + aggregation + "]");
    return size;
  }
}
