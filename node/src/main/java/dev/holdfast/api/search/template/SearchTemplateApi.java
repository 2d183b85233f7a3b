package dev.holdfast.api.search.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.search.SearchApi;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestBody;
import dev.holdfast.world.Json;
import java.util.List;

/// `GET|POST /_search/template`, `/_render/template`: searches made of templates.
public final class SearchTemplateApi implements Api {
  private final SearchApi search;
  private final SearchTemplates templates;

  public SearchTemplateApi(SearchApi search, SearchTemplates templates) {
    this.search = search;
    this.templates = templates;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ObjectNode body = templates.of(request.body().object());
    for (String flag : List.of("explain", "profile")) {
      if (request.has(flag)) {
        body.put(flag, request.flag(flag, false));
      }
    }
    return search.handle(
        new ApiRequest(
            request.verb(),
            request.path(),
            request.pathValues(),
            request.parameters(),
            request.headers(),
            RequestBody.of(Json.bytes(body)),
            request.accepts(),
            request.isCancelled()));
  }

  /// The filled template itself.
  public Answer render(ApiRequest request) {
    ObjectNode body = request.body().object();
    if (request.has("id")) {
      body.put("id", request.required("id"));
    }
    ObjectNode answer = Json.object();
    answer.set("template_output", templates.of(body));
    return Answer.of(200, answer);
  }
}
