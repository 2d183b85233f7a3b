package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.Instruments;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.TierParts;
import dev.holdfast.node.api.eyes.AcceptLossApi;
import dev.holdfast.node.api.eyes.AllNodes;
import dev.holdfast.node.api.eyes.CacheApi;
import dev.holdfast.node.api.eyes.CommitsApi;
import dev.holdfast.node.api.eyes.GarbageApi;
import dev.holdfast.node.api.eyes.GarbageConfirmApi;
import dev.holdfast.node.api.eyes.NodesCalls;
import dev.holdfast.node.api.eyes.PrometheusApi;
import dev.holdfast.node.api.eyes.ShardsApi;
import dev.holdfast.node.api.eyes.StoreApi;
import dev.holdfast.node.api.eyes.TierMetrics;
import dev.holdfast.node.api.eyes.TiersApi;
import dev.holdfast.node.api.eyes.WantedShards;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.Routes;

/// The APIs of operators.
final class DiagnosticsApis {
  private DiagnosticsApis() {}

  static void add(Routes routes, Rooms rooms) {
    Instruments instruments = rooms.instruments();
    TierParts tiers = instruments.tiers();
    NodesCalls calls = rooms.nodesCalls();
    Metadata metadata = rooms.metadata();
    Api shards = new ShardsApi(metadata, tiers, calls);
    Api commits = new CommitsApi(metadata, tiers, instruments.looking(), calls);
    Api cache = new CacheApi(tiers.cache(), calls);
    Api store =
        new StoreApi(
            rooms.world(),
            rooms.identity(),
            instruments.store(),
            instruments.looking(),
            tiers.scrub(),
            calls);
    Api tierApi =
        new TiersApi(rooms.settings().data(), metadata, tiers, instruments.process(), calls);
    Api garbage = new GarbageApi(rooms.identity(), metadata, tiers, calls);
    routes
        .on("GET", "/_prometheus/metrics", NONE, prometheus(rooms))
        .on("GET", "/_holdfast/shards", NONE, shards, WantedShards.PARAMETERS)
        .on("GET", "/_holdfast/shards/{index}", NONE, shards, WantedShards.PARAMETERS)
        .on(
            "POST",
            "/_holdfast/shards/{index}/{shard}/_accept_loss",
            NONE,
            new AcceptLossApi(rooms.world(), rooms.metadata()),
            AcceptLossApi.PARAMETERS)
        .on("GET", "/_holdfast/commits", NONE, commits, CommitsApi.PARAMETERS)
        .on("GET", "/_holdfast/commits/{index}", NONE, commits, CommitsApi.PARAMETERS)
        .on("GET", "/_holdfast/cache", NONE, cache, AllNodes.TIMEOUT)
        .on("GET", "/_holdfast/store", NONE, store, AllNodes.TIMEOUT)
        .on("GET", "/_holdfast/tiers", NONE, tierApi, AllNodes.TIMEOUT)
        .on("GET", "/_holdfast/gc/explain", NONE, garbage, WantedShards.PARAMETERS)
        .on("POST", "/_holdfast/gc/confirm", NONE, new GarbageConfirmApi(rooms.metadata()), "uuid");
  }

  private static Api prometheus(Rooms rooms) {
    Instruments instruments = rooms.instruments();
    return new PrometheusApi(
        rooms.world().clock(),
        rooms.settings().data(),
        rooms.identity(),
        instruments.store(),
        instruments.process(),
        new TierMetrics(rooms.metadata(), rooms.searches(), instruments.tiers()));
  }
}
