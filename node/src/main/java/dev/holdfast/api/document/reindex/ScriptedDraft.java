package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.query.result.Hit;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.context.UpdateScript;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a script of `_update_by_query` or `_reindex` makes of a document that was read.
///
/// @param kind null for nothing to do
record ScriptedDraft(@Nullable Kind kind, IngestDraft draft) {
  private static final long NO_VERSION = -1;
  private static final List<String> FIXED = List.of("_index", "_id", "_version", "_routing");

  /// @param mayMove whether the script may change where the document goes, as a reindex may
  /// @throws Refusal 400 when the script fails, or leaves something that cannot be written
  static ScriptedDraft run(
      ScriptSource script, boolean mayMove, Hit hit, IngestDraft read, long nowMillis) {
    Map<String, Object> ctx = new LinkedHashMap<>();
    ctx.put("_index", read.index());
    ctx.put("_id", Objects.requireNonNullElse(read.id(), ""));
    ctx.put("_version", isVersioned(read) ? hit.version() : NO_VERSION);
    if (read.routing() != null) {
      ctx.put("_routing", read.routing());
    }
    ctx.put("_source", ScriptValues.map(read.bytes(), read.offset(), read.length()));
    ctx.put("op", "index");
    ctx.put("_now", nowMillis);
    Map<String, Object> before = new LinkedHashMap<>(ctx);
    UpdateScript.run(script, mayMove ? UpdateScript.REINDEX : UpdateScript.UPDATE_BY_QUERY, ctx);
    requireKnown(ctx, before);
    Kind kind = kind(String.valueOf(ctx.get("op")));
    if (!mayMove) {
      for (String name : FIXED) {
        if (!Objects.equals(before.get(name), ctx.get(name))) {
          throw Refusal.badArgument(name + " cannot be updated");
        }
      }
    }
    if (!(ctx.get("_source") instanceof Map<?, ?> source)) {
      throw Refusal.badArgument("[_source] must be a map");
    }
    byte[] bytes = Json.bytes((ObjectNode) ScriptValues.json(source));
    IngestDraft made =
        IngestDraft.of(
            mayMove ? required(ctx, "_index") : read.index(),
            text(ctx, "_id"),
            text(ctx, "_routing"),
            mayMove ? condition(ctx, before, read) : read.condition(),
            bytes,
            0,
            bytes.length);
    return new ScriptedDraft(kind, made);
  }

  /// Whether the versions of what is read are those of what is written: otherwise nobody reads
  /// them.
  private static boolean isVersioned(IngestDraft read) {
    return read.condition().versionType() != VersionType.INTERNAL;
  }

  private static void requireKnown(Map<String, Object> ctx, Map<String, Object> before) {
    for (String name : ctx.keySet()) {
      if (!before.containsKey(name) && !FIXED.contains(name)) {
        throw Refusal.badArgument(
            "unexpected metadata key [" + name + "] with value [" + ctx.get(name) + "]");
      }
    }
  }

  private static @Nullable Kind kind(String wanted) {
    return switch (wanted) {
      case "index" -> Kind.INDEX;
      case "delete" -> Kind.DELETE;
      case "noop" -> null;
      default ->
          throw Refusal.badArgument(
              "[op] must be one of delete, index, noop, not [" + wanted + "]");
    };
  }

  private static String required(Map<String, Object> ctx, String name) {
    String value = text(ctx, name);
    if (value == null) {
      throw Refusal.badArgument(name + " cannot be null");
    }
    return value;
  }

  private static @Nullable String text(Map<String, Object> ctx, String name) {
    Object value = ctx.get(name);
    if (value != null && !(value instanceof String)) {
      throw Refusal.badArgument(
          name
              + " ["
              + value
              + "] is wrong type, expected assignable to [java.lang.String], not ["
              + value.getClass().getName()
              + "]");
    }
    return (String) value;
  }

  private static Condition condition(
      Map<String, Object> ctx, Map<String, Object> before, IngestDraft read) {
    Object version = ctx.get("_version");
    if (Objects.equals(version, before.get("_version"))) {
      return read.condition();
    }
    return switch (version) {
      case null -> Condition.NONE;
      case Number _ when !isVersioned(read) ->
          throw new Refusal(
              ErrorType.ACTION_REQUEST_VALIDATION,
              "Validation Failed: 1: internal versioning can not be used for optimistic concurrency"
                  + " control. Please use `if_seq_no` and `if_primary_term` instead;");
      case Number n -> new Condition(-2, 0, n.longValue(), VersionType.EXTERNAL);
      default ->
          throw Refusal.badArgument("_version [" + version + "] is wrong type, expected a number");
    };
  }
}
