package dev.holdfast.indexing.write;

import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.context.UpdateScript;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An update whose document a script makes: it runs once, before anything is written, and what it
/// made is what goes to the log.
///
/// @param kind null for nothing to do
/// @param source the document, where one is written
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record ScriptedUpdate(@Nullable Kind kind, byte[] source) {
  private static final List<String> OF_UPDATES = List.of("delete", "index", "none", "noop");
  private static final List<String> READ = List.of("op", "_source");
  private static final List<String> FIXED =
      List.of("_index", "_id", "_version", "_routing", "_type", "_now");
  private static final List<String> OF_UPSERTS = List.of("create", "none", "noop");

  /// @param source of the document, or of what is inserted when there is none; the script's own
  /// @param version of the document; null when there is none
  static ScriptedUpdate run(
      ScriptSource script,
      WriteOperation operation,
      String index,
      Map<String, Object> source,
      @Nullable Long version,
      @Nullable String routing,
      long nowMillis) {
    Map<String, Object> ctx = new LinkedHashMap<>();
    boolean isUpsert = version == null;
    ctx.put("op", isUpsert ? "create" : "index");
    ctx.put("_source", source);
    ctx.put("_now", nowMillis);
    ctx.put("_id", operation.id());
    if (!isUpsert) {
      ctx.put("_index", index);
      ctx.put("_version", version);
      ctx.put("_type", "_doc");
      if (routing != null) {
        ctx.put("_routing", routing);
      }
    }
    Kind kind;
    Map<?, ?> made;
    try {
      Map<String, Object> before = new LinkedHashMap<>(ctx);
      UpdateScript.run(script, UpdateScript.UPDATE, ctx);
      requireFixed(ctx, before);
      String operationWanted = String.valueOf(ctx.get("op"));
      kind = kind(operationWanted, isUpsert);
      if (!(ctx.get("_source") instanceof Map<?, ?> changed)) {
        throw Refusal.badArgument("[_source] must be a map");
      }
      made = changed;
    } catch (Refusal e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "failed to execute script", e);
    }
    // The script is done: what it left and is no document is no failure of it.
    return new ScriptedUpdate(kind, ScriptValues.bytes(made));
  }

  /// What an update does not read of `ctx` must be as it was.
  private static void requireFixed(Map<String, Object> ctx, Map<String, Object> before) {
    for (Map.Entry<String, Object> member : ctx.entrySet()) {
      String name = member.getKey();
      if (!READ.contains(name) && !before.containsKey(name)) {
        throw Refusal.badArgument(
            FIXED.contains(name)
                ? name + " cannot be updated"
                : "unexpected metadata key ["
                    + name
                    + "] with value ["
                    + ScriptValues.text(member.getValue())
                    + "]");
      }
    }
    for (Map.Entry<String, Object> member : before.entrySet()) {
      String name = member.getKey();
      if (!READ.contains(name) && !Objects.equals(member.getValue(), ctx.get(name))) {
        throw Refusal.badArgument(
            name + (ctx.containsKey(name) ? " cannot be updated" : " cannot be removed"));
      }
    }
  }

  private static @Nullable Kind kind(String wanted, boolean isUpsert) {
    List<String> known = isUpsert ? OF_UPSERTS : OF_UPDATES;
    if (!known.contains(wanted)) {
      throw Refusal.badArgument(
          "[op] must be one of " + String.join(", ", known) + ", not [" + wanted + "]");
    }
    return switch (wanted) {
      case "create" -> Kind.CREATE;
      case "index" -> Kind.INDEX;
      case "delete" -> Kind.DELETE;
      default -> null;
    };
  }
}
