package dev.holdfast.node.api.eyes;

import static dev.holdfast.node.http.BodyRule.NONE;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.Routes;

/// The APIs of operators: a line an API.
public final class EyesApis {
  private EyesApis() {}

  public static void add(Routes routes, Rooms rooms) {
    Api shards = new ShardsApi(rooms);
    Api commits = new CommitsApi(rooms);
    routes
        .on("GET", "/_prometheus/metrics", NONE, new PrometheusApi(rooms))
        .on("GET", "/_holdfast/shards", NONE, shards, WantedShards.PARAMETERS)
        .on("GET", "/_holdfast/shards/{index}", NONE, shards, WantedShards.PARAMETERS)
        .on(
            "POST",
            "/_holdfast/shards/{index}/{shard}/_accept_loss",
            NONE,
            new AcceptLossApi(rooms),
            AcceptLossApi.PARAMETERS)
        .on("GET", "/_holdfast/commits", NONE, commits, CommitsApi.PARAMETERS)
        .on("GET", "/_holdfast/commits/{index}", NONE, commits, CommitsApi.PARAMETERS)
        .on("GET", "/_holdfast/cache", NONE, new CacheApi(rooms), AllNodes.TIMEOUT)
        .on("GET", "/_holdfast/store", NONE, new StoreApi(rooms), AllNodes.TIMEOUT)
        .on("GET", "/_holdfast/tiers", NONE, new TiersApi(rooms), AllNodes.TIMEOUT)
        .on("GET", "/_holdfast/gc/explain", NONE, new GarbageApi(rooms), WantedShards.PARAMETERS)
        .on("POST", "/_holdfast/gc/confirm", NONE, new GarbageConfirmApi(rooms), "uuid");
  }
}
