package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The body of a `_reindex`, read member by member.
///
/// @param source the search for what is copied, without its indices
/// @param names of the indices that are copied, and patterns
/// @param script not compiled yet; null for none
/// @param documentsMax null when the body does not say
record ReindexBody(
    ObjectNode source,
    List<String> names,
    Destination destination,
    @Nullable JsonNode script,
    boolean proceeds,
    @Nullable Integer documentsMax) {
  /// Where documents go.
  ///
  /// @param index empty when the request does not say
  /// @param pipeline that documents go through; null for the index's own
  record Destination(
      String index,
      boolean createsOnly,
      VersionType versionType,
      String routing,
      @Nullable String pipeline) {
    private static Destination read(JsonObject dest) {
      String index = dest.string("index", "");
      String type = dest.string("version_type", "internal");
      String operation = dest.string("op_type", "index").toLowerCase(Locale.ROOT);
      String pipeline = dest.string("pipeline");
      String routing = dest.string("routing", "keep");
      dest.done();
      if (!operation.equals("index") && !operation.equals("create")) {
        throw Refusal.badArgument("opType must be 'create' or 'index', found: [" + operation + "]");
      }
      VersionType versionType =
          switch (type) {
            case "internal" -> VersionType.INTERNAL;
            case "external", "external_gt" -> VersionType.EXTERNAL;
            case "external_gte" -> VersionType.EXTERNAL_GTE;
            default -> throw Refusal.badArgument("No version type match [" + type + "]");
          };
      return new Destination(index, operation.equals("create"), versionType, routing, pipeline);
    }

    private boolean isRoutingKnown() {
      return routing.equals("keep") || routing.equals("discard") || routing.startsWith("=");
    }
  }

  /// @throws Refusal for what is of a wrong kind, or unknown
  static ReindexBody read(ObjectNode body) {
    JsonObject whole = JsonObject.ofKinds("reindex", body);
    JsonNode script = object(whole, "script");
    String conflicts = whole.string("conflicts", "abort");
    Integer max = documentsMax(whole);
    ObjectNode source = object(whole, "source");
    ObjectNode dest = object(whole, "dest");
    whole.done();
    ObjectNode search = source == null ? Json.object() : source;
    return new ReindexBody(
        search,
        names(search.remove("index")),
        Destination.read(JsonObject.ofKinds("dest", dest == null ? Json.object() : dest)),
        script,
        ByQueryParameters.proceeds(conflicts),
        max);
  }

  private static @Nullable ObjectNode object(JsonObject whole, String name) {
    JsonNode given = whole.take(name);
    if (given != null && !given.isObject()) {
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "[reindex] " + name + " doesn't support values of type: " + JsonObject.token(given))
          .at(MemberLocation.ofValue(whole.node(), name));
    }
    return (ObjectNode) given;
  }

  /// `max_docs`, or `size`, as older clients say.
  private static @Nullable Integer documentsMax(JsonObject whole) {
    Integer size = whole.has("size") ? (Integer) whole.integer("size", 0) : null;
    Integer max = whole.has("max_docs") ? (Integer) whole.integer("max_docs", 0) : null;
    if (size != null && max != null && !size.equals(max)) {
      throw Refusal.badArgument(
          "[max_docs] set to two different values [" + size + "] and [" + max + "]");
    }
    return max == null ? size : max;
  }

  private static List<String> names(@Nullable JsonNode given) {
    List<String> names = new ArrayList<>();
    if (given == null || given.isNull()) {
      return names;
    }
    if (!given.isArray() && !given.isTextual()) {
      throw expected(given);
    }
    for (JsonNode name : given.isArray() ? given : List.of(given)) {
      if (!name.isTextual()) {
        throw expected(given);
      }
      if (!name.asText().isEmpty()) {
        names.add(name.asText());
      }
    }
    return List.copyOf(names);
  }

  private static Refusal expected(JsonNode given) {
    return Refusal.badArgument("Expected [index] to be a list or a string but was [" + given + "]");
  }

  /// What it asks for that cannot be, beside what its search does.
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (names.isEmpty()) {
      faults.add("use _all if you really want to copy from all existing indexes");
    }
    JsonNode shown = source.path("_source");
    if (shown.isBoolean() && !shown.booleanValue()) {
      faults.add("_source:false is not supported in this context");
    }
    if (destination.index().isEmpty()) {
      faults.add("index must be specified");
    } else if (!destination.isRoutingKnown()) {
      faults.add("routing must be unset, [keep], [discard] or [=<some new value>]");
    }
    return faults;
  }
}
