package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.AllocationApi;
import dev.holdfast.api.cluster.ClusterHealthApi;
import dev.holdfast.api.cluster.ClusterInfoApi;
import dev.holdfast.api.cluster.ClusterSettingsApi;
import dev.holdfast.api.cluster.ClusterStateApi;
import dev.holdfast.api.cluster.ClusterStatsApi;
import dev.holdfast.api.cluster.HealthReportApi;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Routes;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;

/// The APIs about the cluster: health, state, settings, where shards go.
final class ClusterApis {
  private static final String NO_VOTES =
      "voting configuration exclusions have no effect: leaders are chosen by a lease, not by votes;"
          + " POST /_nodes/{node}/_drain prepares a node for its stop";

  private ClusterApis() {}

  static void add(
      Routes routes, ApiDependencies rooms, NodeTroubles store, NodesStatsApi nodesStats) {
    String clusterName = rooms.settings().clusterName();
    Api health =
        new ClusterHealthApi(
            rooms.world(), clusterName, rooms.members(), rooms.shardHealth(), store);
    ClusterStateApi state =
        new ClusterStateApi(rooms.world(), clusterName, rooms.members(), rooms.indexing());
    Api stats =
        new ClusterStatsApi(
            rooms.world().clock(),
            rooms.settings(),
            rooms.metadata(),
            rooms.searches(),
            rooms.shardHealth(),
            nodesStats);
    ClusterSettingsApi settings =
        new ClusterSettingsApi(rooms.settings(), rooms.identity(), rooms.metadata());
    String[] settingsParameters = {
      "flat_settings", "include_defaults", "local", "master_timeout", "timeout"
    };
    String[] ofChange = {"flat_settings", "master_timeout", "timeout"};
    routes
        .on("GET", "/_cluster/health", NONE, health, ClusterHealthApi.PARAMETERS)
        .on("GET", "/_cluster/health/{index}", NONE, health, ClusterHealthApi.PARAMETERS)
        .on("GET", "/_cluster/settings", NONE, settings::show, settingsParameters)
        .on("PUT", "/_cluster/settings", REQUIRED, settings::change, ofChange)
        .on("GET", "/_cluster/state", NONE, state, ClusterStateApi.PARAMETERS)
        .on("GET", "/_cluster/state/{metric}", NONE, state, ClusterStateApi.PARAMETERS)
        .on("GET", "/_cluster/state/{metric}/{index}", NONE, state, ClusterStateApi.PARAMETERS)
        .on("GET", "/_cluster/pending_tasks", NONE, empty("tasks"), "local", "master_timeout")
        .on(
            "POST",
            "/_cluster/voting_config_exclusions",
            NONE,
            ClusterApis::exclude,
            "master_timeout",
            "node_ids",
            "node_names",
            "timeout")
        .on(
            "DELETE",
            "/_cluster/voting_config_exclusions",
            NONE,
            _ -> Answer.text(200, "").warn(NO_VOTES),
            "master_timeout",
            "wait_for_removal")
        .on("GET", "/_remote/info", NONE, request -> Answer.of(200, Json.object()))
        .on("GET", "/_cluster/stats", NONE, stats, "timeout", "include_remotes")
        .on("GET", "/_cluster/stats/nodes/{node}", NONE, stats, "timeout", "include_remotes")
        .on("GET", "/_info/{target}", NONE, new ClusterInfoApi(clusterName, nodesStats));
    allocation(
        routes, new AllocationApi(rooms.identity(), rooms.metadata(), rooms.shardHealth(), state));
    Api report =
        new HealthReportApi(
            rooms.world().clock(),
            clusterName,
            rooms.identity(),
            rooms.metadata(),
            rooms.shardHealth(),
            store);
    routes
        .on("GET", "/_health_report", NONE, report, "size", "timeout", "verbose")
        .on("GET", "/_health_report/{feature}", NONE, report, "size", "timeout", "verbose");
  }

  private static void allocation(Routes routes, AllocationApi allocation) {
    routes
        .on(
            "GET|POST",
            "/_cluster/allocation/explain",
            OPTIONAL,
            allocation::explain,
            "current_node",
            "include_disk_info",
            "include_yes_decisions",
            "index",
            "master_timeout",
            "primary",
            "shard")
        .on(
            "POST",
            "/_cluster/reroute",
            OPTIONAL,
            allocation::reroute,
            "dry_run",
            "explain",
            "master_timeout",
            "metric",
            "retry_failed",
            "timeout");
  }

  /// Leaders are chosen by a lease, not by votes: every exclusion is granted and changes nothing.
  private static Answer exclude(ApiRequest request) {
    boolean byName = !request.list("node_names").isEmpty();
    boolean byId = !request.list("node_ids").isEmpty();
    if (byName == byId) {
      throw Refusal.badArgument("You must set [node_names] or [node_ids] but not both");
    }
    return Answer.text(200, "").warn(NO_VOTES);
  }

  /// An answer of one empty list: what there never is here.
  private static Api empty(String name) {
    return request -> {
      ObjectNode body = Json.object();
      body.putArray(name);
      return Answer.of(200, body);
    };
  }
}
