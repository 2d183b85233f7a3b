package dev.holdfast.api.search;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.world.JsonObject;
import org.jspecify.annotations.Nullable;

/// `allow_partial_search_results`: whether a search of which some shards failed is answered with
/// what the others have, or not at all. When a request does not say, the setting
/// `search.default_allow_partial_results` does.
final class PartialResults {
  private static final String PARAMETER = "allow_partial_search_results";
  private static final String SETTING = "search.default_allow_partial_results";

  private PartialResults() {}

  /// @param asked what the request says; null when it says nothing
  /// @throws dev.holdfast.world.Refusal `search_phase_execution_exception` when shards failed that
  ///   must not
  static void requireWanted(@Nullable Boolean asked, ClusterState state, SearchResponse response) {
    boolean mayFail =
        asked == null ? !"false".equals(String.valueOf(state.setting(SETTING))) : asked;
    if (!mayFail) {
      response.requireWhole();
    }
  }

  /// What the parameter of a request says.
  static @Nullable Boolean asked(ApiRequest request) {
    return request.has(PARAMETER) ? (Boolean) request.flag(PARAMETER, true) : null;
  }

  /// What the header of a search of `_msearch` says.
  static @Nullable Boolean asked(JsonObject header) {
    return header.has(PARAMETER) ? (Boolean) header.bool(PARAMETER, true) : null;
  }
}
