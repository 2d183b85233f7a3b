package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;

import dev.holdfast.api.broadcast.OwnedRequests;
import dev.holdfast.api.nodes.DrainApi;
import dev.holdfast.api.nodes.NodesInfoApi;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.nodes.NodesUsageApi;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;
import java.util.List;

/// The APIs about nodes.
final class NodesApis {
  private NodesApis() {}

  static void add(
      Routes routes,
      ApiDependencies rooms,
      NodesStatsApi stats,
      RunningTasks running,
      OwnedRequests owned) {
    Api info =
        new NodesInfoApi(rooms.settings(), rooms.members(), rooms.instruments().process().pools());
    Api drain = new DrainApi(rooms.identity(), rooms.metadata());
    NodesUsageApi extra =
        new NodesUsageApi(
            rooms.world(), rooms.settings().clusterName(), rooms.members(), running, owned);
    List<String> ofInfo = List.of("flat_settings", "timeout");
    List<String> ofStats = NodesStatsApi.PARAMETERS;
    routes
        .on("GET", "/_nodes", NONE, info, ofInfo)
        .on("GET", "/_nodes/{node}", NONE, info, ofInfo)
        .on("GET", "/_nodes/{node}/{metric}", NONE, info, ofInfo)
        .on("POST", "/_nodes/{node}/_drain", NONE, drain, "timeout")
        .on("GET", "/_nodes/{node}/info/{metric}", NONE, info, ofInfo)
        .on("GET", "/_nodes/stats", NONE, stats, ofStats)
        .on("GET", "/_nodes/stats/{metric}", NONE, stats, ofStats)
        .on("GET", "/_nodes/stats/{metric}/{index_metric}", NONE, stats, ofStats)
        .on("GET", "/_nodes/{node}/stats", NONE, stats, ofStats)
        .on("GET", "/_nodes/{node}/stats/{metric}", NONE, stats, ofStats)
        .on("GET", "/_nodes/{node}/stats/{metric}/{index_metric}", NONE, stats, ofStats);
    extra(routes, extra);
  }

  private static void extra(Routes routes, NodesUsageApi nodes) {
    Api usage = nodes::usage;
    Api hotThreads = nodes::hotThreads;
    Api reload = nodes::reload;
    List<String> ofHotThreads =
        List.of(
            "ignore_idle_threads", "interval", "snapshots", "sort", "threads", "timeout", "type");
    routes
        .on("GET", "/_nodes/usage", NONE, usage, "timeout")
        .on("GET", "/_nodes/usage/{metric}", NONE, usage, "timeout")
        .on("GET", "/_nodes/{node}/usage", NONE, usage, "timeout")
        .on("GET", "/_nodes/{node}/usage/{metric}", NONE, usage, "timeout")
        .on("GET", "/_nodes/hot_threads", NONE, hotThreads, ofHotThreads)
        .on("GET", "/_nodes/{node}/hot_threads", NONE, hotThreads, ofHotThreads)
        .on("POST", "/_nodes/reload_secure_settings", OPTIONAL, reload, "timeout")
        .on("POST", "/_nodes/{node}/reload_secure_settings", OPTIONAL, reload, "timeout");
  }
}
