package dev.holdfast.query.highlight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `highlight` of a search: fields, or patterns of fields, each with its options.
public record HighlightRequest(List<FieldOptions> fields) {
  /// A pattern of fields with its options, those for all fields merged in.
  public record FieldOptions(String pattern, HighlightOptions options) {}

  /// @param queries reads the queries to highlight instead of the search's
  /// @return null when absent
  public static @Nullable HighlightRequest parse(@Nullable JsonNode given, QueryReader queries) {
    if (given == null || given.isNull()) {
      return null;
    }
    JsonObject json = JsonObject.ofKinds("highlight", given);
    JsonNode fields = json.take("fields");
    HighlightOptions common = HighlightOptions.DEFAULTS.with(json, queries, false);
    if (!json.rest().isEmpty()) {
      throw unknown(json);
    }
    List<FieldOptions> all = new ArrayList<>();
    if (fields != null) {
      for (JsonNode one : fields.isArray() ? fields : List.of(fields)) {
        if (!(one instanceof ObjectNode object) || (fields.isArray() && object.size() != 1)) {
          throw new Refusal(
              ErrorType.PARSING,
              "If highlighter fields is an array it must contain objects containing a single"
                  + " field");
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
          JsonObject options = JsonObject.ofKinds("highlight_field", field.getValue());
          HighlightOptions merged = common.with(options, queries, true);
          if (!options.rest().isEmpty()) {
            throw unknown(options);
          }
          all.add(new FieldOptions(field.getKey(), merged));
        }
      }
    }
    return new HighlightRequest(List.copyOf(all));
  }

  private static Refusal unknown(JsonObject read) {
    String name = read.rest().getFirst();
    return new Refusal(ErrorType.X_CONTENT_PARSE, "[highlight] unknown field [" + name + "]")
        .at(MemberLocation.ofName(read.node(), name));
  }
}
