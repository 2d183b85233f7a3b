package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts the vector of a document in the place of the `query_vector_builder` that names the
/// document. Another one, and one beside a vector, stays: reading the query refuses it.
record VectorLookup(DocumentLookup documents) {
  static final String BUILDER = "query_vector_builder";

  private static final String VECTOR = "query_vector";
  private static final String LOOKUP = "lookup";

  /// @param knn what has the builder
  void resolve(ObjectNode knn) throws IOException {
    if (knn.has(VECTOR)
        || !(knn.get(BUILDER) instanceof ObjectNode builder)
        || builder.size() != 1
        || !(builder.get(LOOKUP) instanceof ObjectNode given)) {
      return;
    }
    JsonObject lookup = JsonObject.ofKinds(LOOKUP, given);
    String id = required(lookup, "id");
    String index = required(lookup, "index");
    String path = required(lookup, "path");
    String routing = lookup.string("routing");
    lookup.done();
    if (id.isEmpty()) {
      throw Refusal.badArgument("Ids can't be empty");
    }
    List<JsonNode> found = documents.find(index, id, routing, true).values(path);
    if (found == null) {
      throw missing("Document with id [" + id + "] not found in index [" + index + "]");
    }
    if (found.isEmpty()) {
      throw missing("Field [" + path + "] not found in document with id [" + id + "]");
    }
    knn.remove(BUILDER);
    knn.set(VECTOR, vector(found));
  }

  private static String required(JsonObject lookup, String name) {
    @Nullable String value = lookup.string(name);
    if (value == null) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[knn] failed to parse field [query_vector_builder]",
          Refusal.badArgument("Required [" + name + "]"));
    }
    return value;
  }

  private static Refusal missing(String what) {
    return new Refusal(ErrorType.RESOURCE_NOT_FOUND, what + " for lookup query vector builder.");
  }

  /// One text is a vector as it was sent: hexadecimal, or Base64.
  private static JsonNode vector(List<JsonNode> values) {
    if (values.size() == 1 && values.getFirst().isTextual()) {
      return values.getFirst();
    }
    ArrayNode vector = Json.MAPPER.createArrayNode();
    vector.addAll(values);
    return vector;
  }
}
