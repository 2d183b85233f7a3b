package dev.holdfast.node.api.script;

import dev.holdfast.node.api.search.MultiSearchApi;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;

/// `GET|POST /_msearch/template`: several searches made of templates.
///
/// @param search fills each line before it searches
public record MultiSearchTemplateApi(MultiSearchApi search) implements Api {
  @Override
  public Answer handle(ApiRequest request) throws Exception {
    return search.handle(request);
  }
}
