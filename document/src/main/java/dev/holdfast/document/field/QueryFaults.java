package dev.holdfast.document.field;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// Errors that several field types give for values and queries that don't fit.
public final class QueryFaults {
  private QueryFaults() {}

  /// A query that can't be made of a value: `query_shard_exception` caused by `cause`.
  public static Refusal noQuery(Refusal cause) {
    return new Refusal(ErrorType.QUERY_SHARD, "failed to create query: " + cause.reason(), cause);
  }

  public static Refusal noQuery(String reason) {
    return noQuery(Refusal.badArgument(reason));
  }

  public static Refusal notANumber(String text) {
    return new Refusal(
        ErrorType.NUMBER_FORMAT,
        text.isEmpty() ? "empty String" : "For input string: \"" + text + "\"");
  }

  public static Refusal notSearchable(String field) {
    return noQuery(
        "Cannot search on field [" + field + "] since it is not indexed nor has doc values.");
  }

  public static Refusal noFormat(String type, String field) {
    return Refusal.badArgument(
        "Field [" + field + "] of type [" + type + "] doesn't support formats.");
  }

  public static Refusal noZone(String type, String field) {
    return Refusal.badArgument(
        "Field [" + field + "] of type [" + type + "] does not support custom time zones");
  }

  static Refusal typeChange(String field, String from, String to) {
    return Refusal.badArgument(
        "mapper [" + field + "] cannot be changed from type [" + from + "] to [" + to + "]");
  }
}
