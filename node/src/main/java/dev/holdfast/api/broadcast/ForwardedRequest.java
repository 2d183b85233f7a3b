package dev.holdfast.api.broadcast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import java.util.LinkedHashMap;
import java.util.Map;

/// A client's request as another node asks it: without headers and a body, and nobody leaves.
public final class ForwardedRequest {
  private ForwardedRequest() {}

  /// @param question holds its `path_values` and `parameters`, objects of texts, if it has any
  public static ApiRequest of(Verb verb, String path, JsonNode question) {
    return new ApiRequest(
        verb,
        path,
        texts(question.path("path_values")),
        texts(question.path("parameters")),
        HeaderValues.NONE,
        RequestBody.EMPTY,
        null,
        () -> false);
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(one -> texts.put(one.getKey(), one.getValue().asText()));
    return texts;
  }
}
