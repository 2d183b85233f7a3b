package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.ApiRequest;

/// Parts of a search that the URL may hold, put into its body.
public final class SearchUrl {
  private SearchUrl() {}

  /// `q` and its companions.
  ///
  /// @throws dev.holdfast.world.Refusal for companions without it
  public static void query(ApiRequest request, ObjectNode body) {
    if (request.has("q")) {
      SearchBody.query(request, body);
    } else {
      SearchBody.requireNoQueryStringOptions(request);
    }
  }

  /// `sort`.
  public static void sort(ApiRequest request, ObjectNode body) {
    SearchBody.sort(request, body);
  }
}
