package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;

import dev.holdfast.api.broadcast.OwnedRequests;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.api.nodes.DrainApi;
import dev.holdfast.api.nodes.NodesInfoApi;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.nodes.NodesUsageApi;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Routes;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
        new NodesUsageApi(rooms.world(), rooms.settings().clusterName(), rooms.members(), running);
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
    extra(routes, extra, rooms.members(), owned);
  }

  private static void extra(
      Routes routes, NodesUsageApi nodes, ClusterMembers members, OwnedRequests owned) {
    Function<ApiRequest, @Nullable String> named = request -> named(request, members);
    Api usage = owned.about("nodes-usage", nodes::usage, named);
    Api hotThreads = owned.about("hot-threads", nodes::hotThreads, named);
    Api reload = owned.about("reload-secure-settings", nodes::reload, named);
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

  /// The node that a path names, where that is another one.
  ///
  /// @throws Refusal `illegal_argument_exception` when it names several
  private static @Nullable String named(ApiRequest request, ClusterMembers members) {
    if (!request.has("node")) {
      return null;
    }
    List<String> named =
        members.all().stream()
            .filter(node -> NodeSelector.isChosen(request, members, Set.of(), node))
            .map(NodeIdentity::id)
            .toList();
    if (named.size() > 1) {
      throw Refusal.badArgument(
          "["
              + request.text("node")
              + "] names ["
              + named.size()
              + "] nodes: this request is about one, ask each by its own name or id");
    }
    boolean isOther = !named.isEmpty() && !members.isSelf(named.getFirst());
    return isOther ? named.getFirst() : null;
  }
}
