package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The `collapse` of a search: only the best hit of those with one value of a field.
///
/// @param innerHits searches for the other hits of each group, by name
public record Collapse(String field, List<Inner> innerHits) {
  /// Hits of a group that are shown with its best one.
  ///
  /// @param body a search body without query
  public record Inner(String name, ObjectNode body) {}

  /// @param search reads the body of `inner_hits`, which is searched when there are groups
  public static @Nullable Collapse parse(
      @Nullable JsonNode given, Function<ObjectNode, SearchSource> search) {
    if (given == null || given.isNull()) {
      return null;
    }
    JsonObject json = JsonObject.ofKinds("collapse", given);
    String field = json.string("field");
    if (field == null) {
      throw Refusal.badArgument("collapse must be set with a [field]");
    }
    List<Inner> inner = new ArrayList<>();
    JsonNode asked = json.take("inner_hits");
    if (asked != null) {
      for (JsonNode one : asked.isArray() ? asked : List.of(asked)) {
        JsonObject options = JsonObject.ofKinds("inner_hits", one);
        InnerHitMembers.requireKnown(options);
        String name = options.string("name");
        if (name == null) {
          throw Refusal.badArgument(
              "inner_hits must have a [name]; set the [name] field in the inner_hits definition");
        }
        boolean _ = options.bool("ignore_unmapped", false);
        ObjectNode body = options.node().deepCopy();
        body.remove(List.of("name", "ignore_unmapped"));
        if (!body.has("size")) {
          body.put("size", 3);
        }
        var _ = search.apply(body.deepCopy());
        inner.add(new Inner(name, body));
      }
    }
    if (json.integer("max_concurrent_group_searches", 1) < 1) {
      throw Refusal.badArgument("[max_concurrent_group_searches] must be positive");
    }
    json.done();
    return new Collapse(field, List.copyOf(inner));
  }

  /// @throws Refusal when the field can't be collapsed on
  public FieldType type(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      throw Refusal.badArgument("no mapping found for `" + field + "` in order to collapse on");
    }
    boolean isGroupable =
        switch (type.values()) {
          case LONG, DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT, UNSIGNED_LONG -> true;
          case KEYWORD -> !type.isVirtual() && !type.typeName().equals("join");
          case NONE, BOOLEAN, DATE_MILLIS, DATE_NANOS, IP, GEO_POINT, RANGE, BINARY -> false;
        };
    if (!isGroupable || type.isRuntime()) {
      throw Refusal.badArgument(
          type.typeName().equals("text")
              ? "collapse is not supported for the field [" + field + "] of the type [text]"
              : "collapse is not supported for the field ["
                  + field
                  + "] of the type ["
                  + type.typeName()
                  + "]");
    }
    return type;
  }
}
