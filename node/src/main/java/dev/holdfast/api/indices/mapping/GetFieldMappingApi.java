package dev.holdfast.api.indices.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.util.List;

/// `GET /_mapping/field/{fields}`, `/{index}/_mapping/field/{fields}`: the mappings of some fields,
/// by full name.
public final class GetFieldMappingApi implements Api {
  /// Wildcards mean open indices; closed ones are shown by name.
  private static final IndexExpression.Options FIELDS =
      new IndexExpression.Options(false, true, true, false, false, true);

  private final Metadata metadata;

  public GetFieldMappingApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    List<String> wanted = request.list("fields");
    boolean withDefaults = request.flag("include_defaults", false);
    List<IndexMetadata> indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(), request.text("index", ""), FIELDS.of(request)));
    // One tree at a time: all fields of thousands of indices are hundreds of megabytes.
    return Answer.of(
        indices.isEmpty() ? 404 : 200,
        out -> {
          out.writeStartObject();
          for (IndexMetadata index : indices) {
            ObjectNode shown = Json.object();
            ObjectNode mappings = shown.putObject("mappings");
            walk("", index, index.mapping().path("properties"), wanted, withDefaults, mappings);
            out.writeFieldName(index.id().name());
            out.writeTree(shown);
          }
          out.writeEndObject();
        });
  }

  private static void walk(
      String prefix,
      IndexMetadata index,
      JsonNode fields,
      List<String> wanted,
      boolean withDefaults,
      ObjectNode shown) {
    for (var field : fields.properties()) {
      String name = prefix + field.getKey();
      JsonNode mapping = field.getValue();
      if (mapping.has("properties") || !mapping.has("type")) {
        walk(name + ".", index, mapping.path("properties"), wanted, withDefaults, shown);
      } else {
        if (isWanted(wanted, name)) {
          ObjectNode whole = mapping.deepCopy();
          if (withDefaults) {
            FieldDefaults.add(whole, index);
          }
          shown
              .putObject(name)
              .put("full_name", name)
              .putObject("mapping")
              .set(field.getKey(), whole);
        }
        walk(name + ".", index, mapping.path("fields"), wanted, withDefaults, shown);
      }
    }
  }

  private static boolean isWanted(List<String> patterns, String name) {
    for (String pattern : patterns) {
      StopSignal.pollForCancelling();
      if (Wildcards.matches(pattern, name)) {
        return true;
      }
    }
    return false;
  }
}
