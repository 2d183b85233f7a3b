package dev.holdfast.api.search;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// `allow_partial_search_results`: whether a search of which some shards failed is answered with
/// what the others have, or not at all. When a request does not say, the setting
/// `search.default_allow_partial_results` does.
final class PartialResults {
  private static final String SETTING = "search.default_allow_partial_results";

  private PartialResults() {}

  /// @throws Refusal `search_phase_execution_exception` (503) when shards failed that must not
  static void requireWanted(ApiRequest request, ClusterState state, SearchResponse response) {
    boolean byDefault = !"false".equals(String.valueOf(state.setting(SETTING)));
    boolean mayFail = request.flag("allow_partial_search_results", byDefault);
    if (response.failedShards() == 0 || mayFail) {
      return;
    }
    List<Map<String, Object>> failures = response.shardFailures();
    Refusal cause =
        new Refusal(
            ErrorType.NO_SHARD_AVAILABLE,
            response.failedShards() + " of " + response.shards() + " shards failed");
    throw Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "Partial shards failure", cause)
        .with("phase", "query")
        .with("grouped", true)
        .with("failed_shards", failures);
  }
}
