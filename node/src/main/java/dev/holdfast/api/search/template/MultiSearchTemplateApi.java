package dev.holdfast.api.search.template;

import dev.holdfast.api.search.MultiSearchApi;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;

/// `GET|POST /_msearch/template`: several searches made of templates.
///
/// @param search fills each line before it searches
public record MultiSearchTemplateApi(MultiSearchApi search) implements Api {
  @Override
  public Answer handle(ApiRequest request) throws Exception {
    return search.handle(request);
  }
}
