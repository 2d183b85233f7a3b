package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One key of a sort, as requested.
///
/// @param missing where documents without a value go: `_first`, `_last`, or a value; null for
///   `_last`
/// @param mode which of several values counts; null for the smallest ascending, the largest
///   descending
/// @param unmappedType what an unmapped field is taken for; null to refuse it
/// @param format how sort values are shown; null for plainly
/// @param nested which nested objects have the values; null when documents have
/// @param distance by how far points are; null for a sort by values
/// @param numericType what numbers are cast to, so that indices with different kinds of them can be
///   sorted together; null for their own kind
/// @param script by what a script makes; null for a sort by values
public record SortSpec(
    String field,
    boolean isDescending,
    @Nullable JsonNode missing,
    @Nullable Mode mode,
    @Nullable String unmappedType,
    @Nullable String format,
    @Nullable NestedSort nested,
    @Nullable DistanceSort distance,
    @Nullable NumericCast numericType,
    @Nullable ScriptSort script) {
  static final String SCORE = "_score";
  static final String DOC = "_doc";

  /// By shard, then by position in it: one order of all documents of a point in time.
  public static final String SHARD_DOC = "_shard_doc";

  /// Which of several values counts.
  public enum Mode {
    MIN,
    MAX,
    AVG,
    SUM,
    MEDIAN
  }

  /// Reads the value of `sort`. Empty when hits come by score, descending.
  ///
  /// @param queries reads the filters of nested sorts
  public static List<SortSpec> parseAll(@Nullable JsonNode sort, QueryReader queries) {
    List<SortSpec> specs = new ArrayList<>();
    if (sort == null || sort.isNull()) {
      return specs;
    }
    for (JsonNode one : sort.isArray() ? sort : List.of(sort)) {
      if (one.isTextual()) {
        specs.add(plain(one.asText(), defaultOrder(one.asText())));
      } else if (one.isObject()) {
        for (Map.Entry<String, JsonNode> member : one.properties()) {
          specs.add(parse(member.getKey(), member.getValue(), queries));
        }
      } else {
        throw Refusal.badArgument(
            "malformed sort format, within the sort array, an object, or an actual string are"
                + " allowed");
      }
    }
    boolean isByScore =
        specs.size() == 1 && specs.getFirst().isScore() && specs.getFirst().isDescending();
    return isByScore ? List.of() : List.copyOf(specs);
  }

  private static SortSpec parse(String field, JsonNode value, QueryReader queries) {
    if (field.equals("_geo_distance") || field.equals("_geoDistance")) {
      return DistanceSort.parse(value, queries);
    }
    if (field.equals("_script")) {
      return ScriptSort.parse(value);
    }
    if (value.isTextual()) {
      return plain(field, isDescending(value.asText()));
    }
    if (field.equals(SCORE)) {
      return byScore(JsonObject.ofKinds(SCORE, value));
    }
    JsonObject json = JsonObject.ofKinds("field_sort", value);
    String order = json.string("order");
    boolean isDescending =
        order == null ? defaultOrder(field) : read("order", () -> isDescending(order));
    String modeName = json.string("mode");
    Mode mode = modeName == null ? null : read("mode", () -> mode(modeName));
    JsonNode missing = json.orNull("missing");
    if (missing != null && missing.isContainerNode()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[field_sort] missing doesn't support values of type: "
              + (missing.isArray() ? "START_ARRAY" : "START_OBJECT"));
    }
    String numericType = json.string("numeric_type");
    SortSpec spec =
        new SortSpec(
            field,
            isDescending,
            missing,
            mode,
            json.string("unmapped_type"),
            json.string("format"),
            NestedSort.parse(json.take("nested"), queries),
            null,
            numericType == null ? null : NumericCast.of(numericType),
            null);
    json.done();
    return spec;
  }

  /// Scores have an order and nothing else.
  private static SortSpec byScore(JsonObject json) {
    String order = json.string("order", "desc");
    json.done();
    return plain(SCORE, read("order", () -> isDescending(order)));
  }

  /// A member whose value is wrong is named by an error around the reason.
  private static <T> T read(String member, Supplier<T> value) {
    try {
      return value.get();
    } catch (Refusal e) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "[field_sort] failed to parse field [" + member + "]", e);
    }
  }

  private static SortSpec plain(String field, boolean isDescending) {
    return new SortSpec(field, isDescending, null, null, null, null, null, null, null, null);
  }

  static SortSpec scripted(boolean isDescending, ScriptSort script) {
    return new SortSpec("_script", isDescending, null, null, null, null, null, null, null, script);
  }

  private static boolean defaultOrder(String field) {
    return field.equals(SCORE);
  }

  static boolean isDescending(String order) {
    return switch (order.toLowerCase(Locale.ROOT)) {
      case "asc" -> false;
      case "desc" -> true;
      default ->
          throw Refusal.badArgument(
              "No enum constant org.elasticsearch.search.sort.SortOrder."
                  + order.toUpperCase(Locale.ROOT));
    };
  }

  public static Mode mode(String name) {
    for (Mode mode : Mode.values()) {
      if (mode.name().equals(name.toUpperCase(Locale.ROOT))) {
        return mode;
      }
    }
    throw Refusal.badArgument("Unknown SortMode [" + name + "]");
  }

  /// The same sort by the field that an alias stands for.
  SortSpec at(String path) {
    return path.equals(field)
        ? this
        : new SortSpec(
            path,
            isDescending,
            missing,
            mode,
            unmappedType,
            format,
            nested,
            distance,
            numericType,
            script);
  }

  boolean isScore() {
    return field.equals(SCORE);
  }

  boolean isDoc() {
    return field.equals(DOC);
  }

  public boolean isShardDoc() {
    return field.equals(SHARD_DOC);
  }

  /// Whether documents without a value come first.
  public boolean isMissingFirst() {
    return missing != null && missing.asText().equals("_first");
  }

  /// The value that documents without one are taken to have, or null.
  @Nullable JsonNode missingValue() {
    return missing == null || missing.asText().equals("_first") || missing.asText().equals("_last")
        ? null
        : missing;
  }
}
