package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A document of a pipeline as scripts see it, `ctx`: its fields and its metadata side by side.
public final class ScriptContext {
  private static final List<String> METADATA =
      List.of(
          "_index",
          "_id",
          "_routing",
          "_version",
          "_version_type",
          "_if_seq_no",
          "_if_primary_term",
          "_dynamic_templates");

  /// Copies of smaller documents are not asked for.
  private static final long SMALL_MAX_BYTES = 256 << 10;

  private ScriptContext() {}

  /// A script of a processor: given, or stored under an id that is looked up when it runs.
  public interface Given {
    ScriptSource now();

    /// The text of the script, for those who ask what a condition is.
    default String text() {
      return now().text();
    }
  }

  /// @param json as in a request
  /// @throws Refusal 400 when it is no script
  public static Given given(JsonNode json, Pipelines pipelines) {
    if (!json.hasNonNull("id")) {
      ScriptSource script = ScriptSource.parse(json);
      return () -> script;
    }
    String id = json.path("id").asText();
    JsonNode params = json.get("params");
    return () -> {
      JsonNode stored = pipelines.storedScript(id);
      if (stored == null) {
        throw new Refusal(
            ErrorType.RESOURCE_NOT_FOUND, "unable to find script [" + id + "] in cluster state");
      }
      ObjectNode whole = Json.object();
      whole.set("lang", stored.get("lang"));
      whole.set("source", stored.get("source"));
      if (params != null) {
        whole.set("params", params);
      }
      return ScriptSource.parse(whole);
    };
  }

  /// The memory of copies of a document, until it is closed; null for a small one.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429) when there is none
  public static @Nullable Reservation copies(IngestDocument document, int count) {
    Reservation memory = document.held() < SMALL_MAX_BYTES ? null : WorkMemory.part();
    if (memory != null) {
      try {
        memory.add(count * document.held());
      } catch (Refusal e) {
        memory.close();
        throw e;
      }
    }
    return memory;
  }

  /// The document as a map that a script may change.
  public static Map<String, Object> of(IngestDocument document) {
    Map<String, Object> ctx = ScriptValues.map(document.source());
    ctx.putAll(ScriptValues.map(document.metadata()));
    return ctx;
  }

  /// The same for scripts that only read.
  public static Map<String, Object> readOnly(IngestDocument document) {
    Map<String, Object> ctx = of(document);
    ctx.put("_ingest", ScriptValues.map(document.ingest()));
    return Collections.unmodifiableMap(ctx);
  }

  /// Puts back what a script left.
  ///
  /// @throws Refusal 400 for what is no JSON, or metadata of the wrong kind
  public static void write(Map<String, Object> ctx, IngestDocument document) {
    ObjectNode left = (ObjectNode) ScriptValues.json(ctx);
    for (String name : METADATA) {
      JsonNode value = left.remove(name);
      if (value == null || value.isNull()) {
        requireKept(name);
        document.metadata().remove(List.of(name));
      } else {
        document.metadata().set(name, checked(name, value));
      }
    }
    document.source().removeAll();
    document.source().setAll(left);
  }

  private static void requireKept(String name) {
    if (name.equals("_index") || name.equals("_version")) {
      throw Refusal.badArgument(name + " cannot be removed");
    }
  }

  private static JsonNode checked(String name, JsonNode value) {
    boolean isNumber =
        name.equals("_version") || name.equals("_if_seq_no") || name.equals("_if_primary_term");
    boolean fits =
        isNumber
            ? value.isNumber()
            : name.equals("_dynamic_templates") ? value.isObject() : value.isTextual();
    if (!fits) {
      @Nullable String kind =
          isNumber ? "Number" : name.equals("_dynamic_templates") ? "Map" : "String";
      throw Refusal.badArgument(
          name
              + " ["
              + value.asText()
              + "] is wrong type, expected assignable to [java.lang."
              + kind
              + "], not ["
              + value.getNodeType()
              + "]");
    }
    return value;
  }
}
