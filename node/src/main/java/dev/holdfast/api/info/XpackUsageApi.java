package dev.holdfast.api.info;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.LifecycleUsage;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.slm.StoredSnapshotPolicies;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import java.util.Locale;

/// `GET /_xpack/usage`: the optional features with how much of each there is. Clients with types
/// fail where a member is missing, so features that are absent have all of theirs, with nothing in
/// them; how often aggregations are used is not counted.
public final class XpackUsageApi implements Api {
  private static final ObjectNode MEMBERS =
      (ObjectNode)
          Json.parse(
              String.format(
                  Locale.ROOT,
                  """
                  {
                    "analytics": {"stats": {"boxplot_usage": 0, "cumulative_cardinality_usage": 0,
                      "string_stats_usage": 0, "top_metrics_usage": 0, "t_test_usage": 0,
                      "moving_percentiles_usage": 0, "normalize_usage": 0, "rate_usage": 0,
                      "multi_terms_usage": 0}},
                    "archive": {"indices_count": 0},
                    "ccr": {"auto_follow_patterns_count": 0, "follower_indices_count": 0},
                    "eql": {"features": {"join": 0, "event": 0, "sequence": 0,
                      "joins": {"join_queries_two": 0, "join_queries_three": 0, "join_queries_four": 0,
                        "join_queries_five_or_more": 0, "join_until": 0},
                      "keys": {"join_keys_one": 0, "join_keys_two": 0, "join_keys_three": 0,
                        "join_keys_four": 0, "join_keys_five_or_more": 0},
                      "pipes": {"pipe_tail": 0, "pipe_head": 0},
                      "sequences": {"sequence_queries_two": 0, "sequence_queries_three": 0,
                        "sequence_queries_four": 0, "sequence_queries_five_or_more": 0,
                        "sequence_until": 0, "sequence_maxspan": 0}}, "queries": {}},
                    "ml": {"datafeeds": {"_all": {"count": 0}},
                      "jobs": {"_all": {"count": 0, "created_by": {}, "detectors": %1$s, "model_size": %1$s,
                        "forecasts": {"total": 0, "forecasted_jobs": 0}}},
                      "node_count": 0, "data_frame_analytics_jobs": {"_all": {"count": 0}},
                      "inference": {"ingest_processors": {}, "trained_models": {"_all": {"count": 0}}}},
                    "monitoring": {"collection_enabled": false, "enabled_exporters": {}},
                    "security": {"api_key_service": %2$s, "anonymous": %2$s, "audit": %2$s, "fips_140": %2$s,
                      "token_service": %2$s, "ssl": {"http": %2$s, "transport": %2$s},
                      "ipfilter": {"http": false, "transport": false}, "realms": {}, "role_mapping": {},
                      "operator_privileges": {"available": false, "enabled": false},
                      "roles": {"native": {"dls": false, "fls": false, "size": 0},
                        "file": {"dls": false, "fls": false, "size": 0},
                        "dls": {"bit_set_cache": {"count": 0, "memory_in_bytes": 0, "hits": 0, "misses": 0,
                          "evictions": 0, "hits_time_in_millis": 0, "misses_time_in_millis": 0}}}},
                    "sql": {"features": {}, "queries": {}},
                    "watcher": {"count": %3$s, "execution": {"actions": {}},
                      "watch": {"input": {}, "trigger": {"_all": %3$s}}},
                    "data_tiers": {"data_hot": %4$s, "data_warm": %4$s, "data_cold": %4$s, "data_frozen": %4$s,
                      "data_content": %4$s}
                  }
                  """,
                  "{\"total\": 0.0, \"min\": 0.0, \"avg\": 0.0, \"max\": 0.0}",
                  "{\"enabled\": false}",
                  "{\"total\": 0, \"active\": 0}",
                  "{\"node_count\": 0, \"index_count\": 0, \"total_shard_count\": 0,"
                      + " \"primary_shard_count\": 0, \"doc_count\": 0, \"total_size_bytes\": 0,"
                      + " \"primary_size_bytes\": 0, \"primary_shard_size_avg_bytes\": 0,"
                      + " \"primary_shard_size_median_bytes\": 0,"
                      + " \"primary_shard_size_mad_bytes\": 0}"));

  private final Metadata metadata;

  public XpackUsageApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ObjectNode usage = Json.object();
    for (String feature : XpackApi.ABSENT) {
      show(usage, feature, false);
    }
    for (String feature : XpackApi.PRESENT) {
      show(usage, feature, true);
    }
    count(metadata.current(), usage);
    return Answer.of(200, usage);
  }

  private static void show(ObjectNode usage, String feature, boolean isThere) {
    ObjectNode one = usage.putObject(feature).put("available", isThere).put("enabled", isThere);
    if (MEMBERS.get(feature) instanceof ObjectNode members) {
      one.setAll(members.deepCopy());
    }
  }

  /// What the cluster state knows the number of.
  private static void count(ClusterState state, ObjectNode usage) {
    long behind = 0;
    var streams = DataStreams.all(state);
    for (DataStream stream : streams) {
      for (DataStream.Component component : DataStream.Component.values()) {
        behind += stream.indices(component).size();
      }
    }
    usage
        .withObjectProperty("data_streams")
        .put("data_streams", streams.size())
        .put("indices_count", behind);
    usage.withObjectProperty("ilm").setAll(LifecycleUsage.of(state));
    usage.withObjectProperty("slm").put("policy_count", StoredSnapshotPolicies.count(state));
    long mounted =
        state.indices().values().stream()
            .filter(one -> one.settings().containsKey(IndexSettings.MOUNTED + "snapshot_name"))
            .count();
    usage.withObjectProperty("searchable_snapshots").put("indices_count", mounted);
  }
}
