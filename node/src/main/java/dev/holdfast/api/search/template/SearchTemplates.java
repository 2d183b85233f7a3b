package dev.holdfast.api.search.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.api.search.MultiSearchApi;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Templates of searches: `{"source"|"id", "params", "explain", "profile"}`.
public final class SearchTemplates implements MultiSearchApi.Bodies {
  /// The kind of metadata that stored scripts are: by id, `{"lang", "source", "options"}`.
  static final String CUSTOM = StoredScripts.CUSTOM;

  private final Metadata metadata;

  public SearchTemplates(Metadata metadata) {
    this.metadata = metadata;
  }

  /// The stored script of that id, or null.
  static @Nullable JsonNode stored(ClusterState state, String id) {
    return StoredScripts.find(state, id);
  }

  /// The search body that a request for a template makes.
  @Override
  public ObjectNode of(ObjectNode request) {
    JsonObject json = JsonObject.of("search_template", request);
    String id = json.string("id");
    JsonNode source = json.take("source");
    JsonNode params = json.take("params");
    boolean explains = json.bool("explain", false);
    boolean profiles = json.bool("profile", false);
    json.done();
    ObjectNode body = fill(id, source, params);
    if (explains) {
      body.put("explain", true);
    }
    if (profiles) {
      body.put("profile", true);
    }
    return body;
  }

  @Override
  public void check(ObjectNode line, boolean totalAsInteger) {
    JsonNode source = line.get("source");
    boolean isEmpty = source == null || (source.isTextual() && source.asText().isEmpty());
    if (!line.has("id") && isEmpty) {
      throw missing();
    }
  }

  private static Refusal missing() {
    return new Refusal(
        ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: template is missing;");
  }

  /// A filled template.
  ///
  /// @param id of a stored one; null when `source` is given
  public ObjectNode fill(
      @Nullable String id, @Nullable JsonNode source, @Nullable JsonNode params) {
    if (id == null && source == null) {
      throw missing();
    }
    JsonNode template = source;
    if (id != null) {
      JsonNode stored = stored(metadata.current(), id);
      if (stored == null) {
        throw new Refusal(
            ErrorType.RESOURCE_NOT_FOUND, "unable to find script [" + id + "] in cluster state");
      }
      template = stored.get("source");
    }
    String text =
        template == null ? "" : template.isTextual() ? template.asText() : template.toString();
    if (params != null && !params.isNull() && !params.isObject()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[search_template] params doesn't support values of type: " + JsonObject.token(params));
    }
    JsonNode given = params == null || params.isNull() ? Json.object() : params;
    byte[] filled = MustacheText.fill(text, given).getBytes(StandardCharsets.UTF_8);
    JsonTree.askFor(filled, 0, filled.length);
    return Json.parseObject(filled, 0, filled.length);
  }
}
