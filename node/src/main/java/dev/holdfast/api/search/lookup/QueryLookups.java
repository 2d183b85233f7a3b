package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Replaces what a query says of other documents (`terms` look-ups, liked documents, indexed
/// shapes, vectors) by their content, so that shards need to ask nobody.
public final class QueryLookups {
  /// Stands for no version that is asked for.
  private static final long VERSION_ANY = -3;

  /// What a version may be compared as; to a reader they mean the same.
  private static final List<String> VERSION_TYPES =
      List.of("internal", "external", "external_gt", "external_gte");

  private final Metadata metadata;
  private final DocumentLookup documents;
  private final PercolatedLookup percolated;
  private final VectorLookup vectors;

  public QueryLookups(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.documents = new DocumentLookup(metadata, searches);
    this.percolated = new PercolatedLookup(documents);
    this.vectors = new VectorLookup(documents);
  }

  /// Resolves all look-ups in a body, in place.
  ///
  /// @param index what the request searches, for documents named without their index
  public void resolve(@Nullable JsonNode body, String index) throws IOException {
    if (body instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : new ArrayList<>(object.properties())) {
        if (StoredScripts.isStored(member.getKey(), member.getValue())) {
          object.set(member.getKey(), StoredScripts.inline(member.getValue(), metadata.current()));
          continue;
        }
        if (member.getValue() instanceof ObjectNode inner) {
          switch (member.getKey()) {
            case "terms" -> terms(inner);
            case "more_like_this" -> liked(inner, index);
            case "geo_shape", "shape" -> shapes(inner);
            case "percolate" -> percolated.resolve(inner);
            case VectorLookup.BUILDER -> vectors.resolve(object);
            default -> {}
          }
        }
        resolve(member.getValue(), index);
      }
    } else if (body instanceof ArrayNode array) {
      for (JsonNode element : array) {
        resolve(element, index);
      }
    }
  }

  private void terms(ObjectNode terms) throws IOException {
    for (Map.Entry<String, JsonNode> field : new ArrayList<>(terms.properties())) {
      if (!(field.getValue() instanceof ObjectNode given)
          || !given.has("index")
          || !given.has("id")) {
        continue;
      }
      JsonObject lookup = JsonObject.ofKinds("terms_lookup", given);
      String index = lookup.requiredText("index");
      String id = lookup.requiredText("id");
      String path = lookup.string("path");
      String routing = lookup.string("routing");
      lookup.done();
      if (path == null) {
        throw Refusal.badArgument("Required [path]");
      }
      if (id.isEmpty()) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: id is missing;");
      }
      List<JsonNode> found = documents.find(index, id, routing, true).values(path);
      ArrayNode values = Json.MAPPER.createArrayNode();
      if (found != null) {
        values.addAll(found);
      }
      terms.set(field.getKey(), values);
    }
  }

  private void liked(ObjectNode query, String index) throws IOException {
    for (String member : List.of("like", "unlike")) {
      JsonNode given = query.get(member);
      if (given == null || given.isNull()) {
        continue;
      }
      ArrayNode items = Json.MAPPER.createArrayNode();
      for (JsonNode item : given.isArray() ? given : List.of(given)) {
        items.add(item instanceof ObjectNode document ? withContent(document, index) : item);
      }
      query.set(member, items);
    }
  }

  private ObjectNode withContent(ObjectNode item, String index) throws IOException {
    if (!item.has("_id") || item.has("doc")) {
      return item;
    }
    for (String member : List.of("_index", "routing")) {
      JsonNode given = item.get(member);
      if (given != null && (given.isNull() || given.isContainerNode())) {
        throw Refusal.badArgument(
            "[" + member + "] expected text but found " + JsonObject.token(given));
      }
    }
    if (item.path("_id").asText().isEmpty()) {
      throw Refusal.badArgument("Ids can't be empty");
    }
    ObjectNode whole = item.deepCopy();
    String name = item.path("_index").asText("");
    if (name.isEmpty()) {
      List<String> names =
          IndexExpression.resolve(metadata.current(), index, IndexExpression.Options.SEARCH)
              .stream()
              .map(found -> found.id().name())
              .toList();
      if (names.size() != 1) {
        throw Refusal.badArgument("more_like_this requires the [_index] of the document to be set");
      }
      name = names.getFirst();
    }
    JsonNode routing = item.get("routing");
    DocumentLookup.Found found =
        documents.find(
            name, item.path("_id").asText(), routing == null ? null : routing.asText(), true);
    JsonNode content = found.content();
    whole.put("_index", name);
    if (content != null && isOfVersion(item, found)) {
      whole.set("doc", content);
    }
    return whole;
  }

  /// Whether a document has the version that is liked; one of another is not looked at.
  private static boolean isOfVersion(ObjectNode item, DocumentLookup.Found found) {
    JsonObject options = JsonObject.ofValuesOrNull("more_like_this", item);
    String type = options.string("version_type", "internal");
    if (!VERSION_TYPES.contains(type)) {
      throw Refusal.badArgument("No version type match [" + type + "]");
    }
    long version = options.longValue("version", VERSION_ANY);
    return version == VERSION_ANY || version == found.document().version();
  }

  private void shapes(ObjectNode query) throws IOException {
    for (Map.Entry<String, JsonNode> field : query.properties()) {
      if (field.getValue() instanceof ObjectNode options
          && options.get("indexed_shape") instanceof ObjectNode given) {
        JsonObject lookup = JsonObject.of("indexed_shape", given);
        String index = lookup.string("index", "shapes");
        String id = lookup.required("id").asText();
        String path = lookup.string("path", "shape");
        String routing = lookup.string("routing");
        lookup.done();
        List<JsonNode> shapes = documents.find(index, id, routing, true).values(path);
        if (shapes == null) {
          throw Refusal.badArgument("Shape with ID [" + id + "] not found");
        }
        if (shapes.isEmpty()) {
          throw new Refusal(
              ErrorType.ILLEGAL_STATE,
              "Shape with name [" + id + "] found but missing " + path + " field");
        }
        options.remove("indexed_shape");
        options.set("shape", shapes.getFirst());
      }
    }
  }
}
