package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;
import static dev.holdfast.node.http.BodyRule.REQUIRED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.eyes.StoreTroubles;
import dev.holdfast.node.api.ingest.IngestFigures;
import dev.holdfast.node.api.search.CountApi;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.node.http.Routes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// The APIs about the node and the cluster: a line an API.
final class NodeApis {
  private NodeApis() {}

  static void add(Routes routes, Rooms rooms, IngestFigures ingest, StoreTroubles store) {
    routes
        .on("GET|HEAD", "/", NONE, new MainApi(rooms))
        .on("GET", "/_license", NONE, new LicenseApi(rooms), "accept_enterprise", "local")
        .on("GET", "/_xpack", NONE, new XpackApi(), "categories", "accept_enterprise")
        .on("GET", "/_security/_authenticate", NONE, new AuthenticateApi())
        .on("GET", "/_features", NONE, features("name", "description"), "master_timeout")
        .on("POST", "/_features/_reset", NONE, features("feature_name", "status"), "master_timeout")
        .on("GET", "/_snapshot", NONE, NodeApis::repositories, "local", "master_timeout")
        .on(
            "GET",
            "/_snapshot/{repository}",
            NONE,
            NodeApis::repositories,
            "local",
            "master_timeout")
        .on("GET", "/_dangling", NONE, request -> dangling(rooms))
        .on(
            "POST|DELETE",
            "/_dangling/{index_uuid}",
            NONE,
            NodeApis::noDangling,
            "accept_data_loss",
            "master_timeout",
            "timeout");
    cluster(routes, rooms, store);
    NodesStatsApi stats = new NodesStatsApi(rooms, ingest);
    nodes(routes, rooms, stats);
    cat(routes, rooms, stats, store);
  }

  private static void cluster(Routes routes, Rooms rooms, StoreTroubles store) {
    Api health = new ClusterHealthApi(rooms, store);
    Api state = new ClusterStateApi(rooms);
    Api stats = new ClusterStatsApi(rooms);
    ClusterSettingsApi settings = new ClusterSettingsApi(rooms);
    String[] settingsParameters = {
      "flat_settings", "include_defaults", "local", "master_timeout", "timeout"
    };
    routes
        .on("GET", "/_cluster/health", NONE, health, ClusterHealthApi.PARAMETERS)
        .on("GET", "/_cluster/health/{index}", NONE, health, ClusterHealthApi.PARAMETERS)
        .on("GET", "/_cluster/settings", NONE, settings::show, settingsParameters)
        .on("PUT", "/_cluster/settings", REQUIRED, settings::change, settingsParameters)
        .on("GET", "/_cluster/state", NONE, state, ClusterStateApi.PARAMETERS)
        .on("GET", "/_cluster/state/{metric}", NONE, state, ClusterStateApi.PARAMETERS)
        .on("GET", "/_cluster/state/{metric}/{index}", NONE, state, ClusterStateApi.PARAMETERS)
        .on("GET", "/_cluster/pending_tasks", NONE, empty("tasks"), "local", "master_timeout")
        .on(
            "POST",
            "/_cluster/voting_config_exclusions",
            NONE,
            NodeApis::exclude,
            "master_timeout",
            "node_ids",
            "node_names",
            "timeout")
        .on(
            "DELETE",
            "/_cluster/voting_config_exclusions",
            NONE,
            request -> Answer.text(200, ""),
            "master_timeout",
            "wait_for_removal")
        .on("GET", "/_remote/info", NONE, request -> Answer.of(200, Json.object()))
        .on("GET", "/_cluster/stats", NONE, stats, "timeout", "include_remotes")
        .on("GET", "/_cluster/stats/nodes/{node}", NONE, stats, "timeout", "include_remotes");
  }

  /// The features that keep state of their own; those that can be asked for have nothing to reset
  /// beside what their own APIs delete.
  private static Api features(String name, String value) {
    return request -> {
      ObjectNode body = Json.object();
      body.putArray("features")
          .addObject()
          .put(name, "tasks")
          .put(value, value.equals("status") ? "SUCCESS" : "Manages task results");
      return Answer.of(200, body);
    };
  }

  /// There is no repository: whoever names one is told so.
  private static Answer repositories(ApiRequest request) {
    for (String name : request.list("repository")) {
      if (!name.equals("_all") && !name.contains("*")) {
        throw new Refusal(ErrorType.REPOSITORY_MISSING, "[" + name + "] missing");
      }
    }
    return Answer.of(200, Json.object());
  }

  /// All data of an index lie in the store, which the cluster state describes: none is found on a
  /// node that the state does not know.
  private static Answer dangling(Rooms rooms) {
    ObjectNode body = Json.object();
    int nodes = ClusterMembers.all(rooms).size();
    body.putObject("_nodes").put("total", nodes).put("successful", nodes).put("failed", 0);
    body.put("cluster_name", rooms.settings().clusterName()).putArray("dangling_indices");
    return Answer.of(200, body);
  }

  private static Answer noDangling(ApiRequest request) {
    throw Refusal.badArgument(
        "No dangling index found for UUID [" + request.required("index_uuid") + "]");
  }

  /// Leaders are chosen by a lease, not by votes: every exclusion is granted and changes nothing.
  private static Answer exclude(ApiRequest request) {
    if (request.has("node_names") == request.has("node_ids")) {
      throw Refusal.badArgument("You must set [node_names] or [node_ids] but not both");
    }
    return Answer.text(200, "");
  }

  /// An answer of one empty list: what there never is here.
  private static Api empty(String name) {
    return request -> {
      ObjectNode body = Json.object();
      body.putArray(name);
      return Answer.of(200, body);
    };
  }

  private static void nodes(Routes routes, Rooms rooms, NodesStatsApi stats) {
    Api info = new NodesInfoApi(rooms);
    List<String> ofInfo = List.of("flat_settings", "timeout");
    List<String> ofStats = NodesStatsApi.PARAMETERS;
    routes
        .on("GET", "/_nodes", NONE, info, ofInfo)
        .on("GET", "/_nodes/{node}", NONE, info, ofInfo)
        .on("GET", "/_nodes/{node}/{metric}", NONE, info, ofInfo)
        .on("POST", "/_nodes/{node}/_drain", NONE, new DrainApi(rooms), "timeout")
        .on("GET", "/_nodes/{node}/info/{metric}", NONE, info, ofInfo)
        .on("GET", "/_info/{target}", NONE, new ClusterInfoApi(rooms, stats))
        .on("GET", "/_nodes/stats", NONE, stats, ofStats)
        .on("GET", "/_nodes/stats/{metric}", NONE, stats, ofStats)
        .on("GET", "/_nodes/stats/{metric}/{index_metric}", NONE, stats, ofStats)
        .on("GET", "/_nodes/{node}/stats", NONE, stats, ofStats)
        .on("GET", "/_nodes/{node}/stats/{metric}", NONE, stats, ofStats)
        .on("GET", "/_nodes/{node}/stats/{metric}/{index_metric}", NONE, stats, ofStats);
  }

  private static void cat(Routes routes, Rooms rooms, NodesStatsApi stats, StoreTroubles store) {
    CatTables tables = new CatTables(rooms);
    CatNodesApi nodes = new CatNodesApi(rooms, stats);
    CatRoutes cat = new CatRoutes(routes);
    cat.on("/_cat/aliases", new CatAliasesApi(rooms), "expand_wildcards");
    cat.on("/_cat/aliases/{name}", new CatAliasesApi(rooms), "expand_wildcards");
    cat.on("/_cat/allocation", tables::allocation);
    cat.on("/_cat/allocation/{node}", tables::allocation);
    cat.on("/_cat/circuit_breaker", tables::breakers);
    cat.onBody("/_cat/count", new CatCountApi(rooms), CountApi.PARAMETERS);
    cat.onBody("/_cat/count/{index}", new CatCountApi(rooms), CountApi.PARAMETERS);
    cat.on("/_cat/fielddata", tables::fieldData, "fields");
    cat.on("/_cat/fielddata/{fields}", tables::fieldData);
    cat.on("/_cat/health", new CatHealthApi(rooms, store));
    cat.on("/_cat/indices", new CatIndicesApi(rooms), CatIndicesApi.PARAMETERS);
    cat.on("/_cat/indices/{index}", new CatIndicesApi(rooms), CatIndicesApi.PARAMETERS);
    cat.on("/_cat/master", nodes::master);
    cat.on("/_cat/nodeattrs", tables::attributes);
    cat.on("/_cat/nodes", nodes, "full_id", "include_unloaded_segments", "timeout");
    cat.on("/_cat/pending_tasks", tables::pendingTasks);
    cat.on("/_cat/plugins", tables::plugins, "include_bootstrap");
    cat.on("/_cat/repositories", tables::repositories);
    cat.on("/_cat/snapshots", tables::snapshots);
    cat.on("/_cat/snapshots/{repository}", tables::snapshots);
    cat.on("/_cat/shards", new CatShardsApi(rooms));
    cat.on("/_cat/shards/{index}", new CatShardsApi(rooms));
    cat.on("/_cat/thread_pool", tables::threadPool);
    cat.on("/_cat/thread_pool/{thread_pool_patterns}", tables::threadPool);
    routes.on("GET", "/_cat", OPTIONAL, cat.contents());
  }
}
