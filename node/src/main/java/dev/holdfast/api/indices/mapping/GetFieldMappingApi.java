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
    ObjectNode answer = Json.object();
    for (IndexMetadata index :
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(), request.text("index", ""), FIELDS.of(request)))) {
      ObjectNode shown = answer.putObject(index.id().name()).putObject("mappings");
      walk("", index, index.mapping().path("properties"), wanted, withDefaults, shown);
    }
    return Answer.of(answer.isEmpty() ? 404 : 200, answer);
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
        if (wanted.stream().anyMatch(pattern -> Wildcards.matches(pattern, name))) {
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
}
