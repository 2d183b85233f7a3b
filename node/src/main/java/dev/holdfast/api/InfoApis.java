package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.info.CapabilitiesApi;
import dev.holdfast.api.info.LicenseApi;
import dev.holdfast.api.info.MainApi;
import dev.holdfast.api.info.XpackApi;
import dev.holdfast.api.info.XpackUsageApi;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Routes;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// The APIs about the product: what answers here, its license, what it has no need of.
final class InfoApis {
  private InfoApis() {}

  static void add(Routes routes, ApiDependencies rooms) {
    Metadata metadata = rooms.metadata();
    String clusterName = rooms.settings().clusterName();
    routes
        .on("GET|HEAD", "/", NONE, new MainApi(rooms.settings(), rooms.identity(), metadata))
        .on(
            "GET",
            "/_license",
            NONE,
            new LicenseApi(clusterName, rooms.identity(), metadata),
            "accept_enterprise",
            "local")
        .on("GET", "/_xpack", NONE, new XpackApi(metadata), "categories", "accept_enterprise")
        .on("GET", "/_xpack/usage", NONE, new XpackUsageApi(metadata), "master_timeout")
        .on("GET", "/_license/basic_status", NONE, status("eligible_to_start_basic"))
        .on("GET", "/_license/trial_status", NONE, status("eligible_to_start_trial"))
        .on("GET", "/_ssl/certificates", NONE, _ -> Answer.of(200, Json.MAPPER.createArrayNode()))
        .on("GET", "/_migration/deprecations", NONE, InfoApis::deprecations)
        .on("GET", "/{index}/_migration/deprecations", NONE, InfoApis::deprecations)
        .on("GET", "/_migration/system_features", NONE, InfoApis::upgrades)
        .on("POST", "/_migration/system_features", NONE, InfoApis::noUpgrade)
        .on(
            "GET",
            "/_capabilities",
            NONE,
            new CapabilitiesApi(clusterName, rooms.identity(), metadata, routes),
            "capabilities",
            "local_only",
            "method",
            "parameters",
            "path",
            "timeout")
        .on("GET", "/_features", NONE, features("name", "description"), "master_timeout")
        .on("POST", "/_features/_reset", NONE, features("feature_name", "status"), "master_timeout")
        .on("GET", "/_dangling", NONE, request -> dangling(clusterName, rooms.members()))
        .on(
            "POST|DELETE",
            "/_dangling/{index_uuid}",
            NONE,
            InfoApis::noDangling,
            "accept_data_loss",
            "master_timeout",
            "timeout");
  }

  /// Whether another license could be begun: there is the one, and it is active.
  private static Api status(String member) {
    return _ -> Answer.of(200, Json.object().put(member, false));
  }

  /// What an older release left behind that the next one takes no more: none is that old.
  private static Answer deprecations(ApiRequest request) {
    ObjectNode body = Json.object();
    for (String list : List.of("cluster_settings", "node_settings", "ml_settings")) {
      body.putArray(list);
    }
    for (String named : List.of("index_settings", "data_streams", "templates", "ilm_policies")) {
      body.putObject(named);
    }
    return Answer.of(200, body);
  }

  /// What the next release would want migrated before: nothing is that old.
  private static Answer upgrades(ApiRequest request) {
    ObjectNode body = Json.object();
    body.putArray("features");
    return Answer.of(200, body.put("migration_status", "NO_MIGRATION_NEEDED"));
  }

  private static Answer noUpgrade(ApiRequest request) {
    return Answer.of(
        200,
        Json.object().put("accepted", false).put("reason", "No system indices require migration"));
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

  /// All data of an index lie in the store, which the cluster state describes: none is found on a
  /// node that the state does not know.
  private static Answer dangling(String clusterName, ClusterMembers members) {
    ObjectNode body = Json.object();
    int nodes = members.all().size();
    body.putObject("_nodes").put("total", nodes).put("successful", nodes).put("failed", 0);
    body.put("cluster_name", clusterName).putArray("dangling_indices");
    return Answer.of(200, body);
  }

  private static Answer noDangling(ApiRequest request) {
    throw Refusal.badArgument(
        "No dangling index found for UUID [" + request.required("index_uuid") + "]");
  }
}
