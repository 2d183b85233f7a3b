package dev.holdfast.api.cat;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;

/// A `_cat` API: makes a table, which shows itself as the request asks.
public final class CatApi implements Api {
  private final Maker maker;

  CatApi(Maker maker) {
    this.maker = maker;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    return maker.table(request).answer(request);
  }

  /// Makes the table that a request asks for.
  public interface Maker {
    CatTable table(ApiRequest request) throws Exception;
  }
}
