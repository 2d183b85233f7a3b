package dev.holdfast.node.api;

import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;

/// A `_cat` API: makes a table, which shows itself as the request asks.
final class CatApi implements Api {
  private final Maker maker;

  CatApi(Maker maker) {
    this.maker = maker;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    return maker.table(request).answer(request);
  }

  /// Makes the table that a request asks for.
  interface Maker {
    CatTable table(ApiRequest request) throws Exception;
  }
}
