package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// `top_hits` that name no `fields` show those of their search.
final class TopHitsFields {
  private static final String FIELDS = "fields";

  private TopHitsFields() {}

  /// @param search a search body; its aggregations are changed
  static void inherit(ObjectNode search) {
    JsonNode fields = search.get(FIELDS);
    if (fields != null && fields.isArray()) {
      inherit(search, fields);
    }
  }

  private static void inherit(JsonNode parent, JsonNode fields) {
    for (String member : new String[] {"aggs", "aggregations"}) {
      for (JsonNode aggregation : parent.path(member)) {
        JsonNode hits = aggregation.get("top_hits");
        if (hits instanceof ObjectNode object && !object.has(FIELDS)) {
          object.set(FIELDS, fields);
        }
        inherit(aggregation, fields);
      }
    }
  }
}
