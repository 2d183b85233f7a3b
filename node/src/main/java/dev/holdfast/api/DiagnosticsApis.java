package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;

import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.cost.CostApi;
import dev.holdfast.api.diagnostics.AcceptLossApi;
import dev.holdfast.api.diagnostics.CacheApi;
import dev.holdfast.api.diagnostics.CommitsApi;
import dev.holdfast.api.diagnostics.GarbageApi;
import dev.holdfast.api.diagnostics.GarbageConfirmApi;
import dev.holdfast.api.diagnostics.LiveApi;
import dev.holdfast.api.diagnostics.PrometheusApi;
import dev.holdfast.api.diagnostics.ReadyApi;
import dev.holdfast.api.diagnostics.ShardsApi;
import dev.holdfast.api.diagnostics.StoreApi;
import dev.holdfast.api.diagnostics.TierMetrics;
import dev.holdfast.api.diagnostics.TiersApi;
import dev.holdfast.api.diagnostics.WantedShards;
import dev.holdfast.api.projects.ProjectsApi;
import dev.holdfast.api.scaling.AutoscalingApi;
import dev.holdfast.api.scaling.NodeLoads;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Api;
import dev.holdfast.http.Routes;

/// The APIs of operators.
final class DiagnosticsApis {
  private DiagnosticsApis() {}

  static void add(Routes routes, ApiDependencies rooms, RunningTasks running) {
    NodeInstruments instruments = rooms.instruments();
    TierParts tiers = instruments.tiers();
    Broadcasts calls = rooms.nodesCalls();
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
    CostApi cost =
        new CostApi(
            rooms.world(),
            rooms.identity(),
            metadata,
            instruments.store(),
            instruments.looking(),
            calls);
    cost.start();
    Api tierApi =
        new TiersApi(rooms.settings().data(), metadata, tiers, instruments.process(), calls);
    NodeLoads loads = NodeLoads.begin(rooms.world(), instruments.process().allPools());
    AutoscalingApi scaling =
        new AutoscalingApi(
            rooms.world(),
            metadata,
            loads,
            running,
            calls,
            rooms.provisioner(),
            rooms.identity().id());
    scaling.start();
    ProjectsApi projects = new ProjectsApi(rooms.world(), rooms.settings(), metadata);
    Api garbage = new GarbageApi(rooms.identity(), metadata, tiers, calls);
    routes
        .on("GET", "/_prometheus/metrics", NONE, prometheus(rooms, running, scaling))
        .on("GET", LiveApi.PATH, NONE, new LiveApi())
        .on(
            "GET",
            "/_holdfast/ready",
            NONE,
            new ReadyApi(metadata, rooms.identity(), instruments.process().mayServe()))
        .on("GET", "/_holdfast/shards", NONE, shards, WantedShards.parameters())
        .on("GET", "/_holdfast/shards/{index}", NONE, shards, WantedShards.parameters())
        .on(
            "POST",
            "/_holdfast/shards/{index}/{shard}/_accept_loss",
            NONE,
            new AcceptLossApi(rooms.world(), rooms.metadata()),
            AcceptLossApi.parameters())
        .on("GET", "/_holdfast/commits", NONE, commits, CommitsApi.PARAMETERS)
        .on("GET", "/_holdfast/commits/{index}", NONE, commits, CommitsApi.PARAMETERS)
        .on("GET", "/_holdfast/cache", NONE, cache, Broadcast.TIMEOUT)
        .on("GET", "/_holdfast/store", NONE, store, Broadcast.TIMEOUT)
        .on("GET", "/_holdfast/cost", NONE, cost, Broadcast.TIMEOUT)
        .on("GET", "/_holdfast/tiers", NONE, tierApi, Broadcast.TIMEOUT)
        .on("GET", "/_holdfast/autoscaling", NONE, scaling.now(), Broadcast.TIMEOUT)
        .on("GET", "/_holdfast/autoscaling/explain", NONE, scaling.explain(), Broadcast.TIMEOUT)
        .on("GET", "/_holdfast/projects", NONE, projects::show)
        .on("GET", "/_holdfast/projects/{project}", NONE, projects::show)
        .on("PUT", "/_holdfast/projects/{project}", OPTIONAL, projects::put)
        .on("DELETE", "/_holdfast/projects/{project}", NONE, projects::delete)
        .on("GET", "/_holdfast/gc/explain", NONE, garbage, WantedShards.parameters())
        .on("POST", "/_holdfast/gc/confirm", NONE, new GarbageConfirmApi(rooms.metadata()), "uuid");
  }

  private static Api prometheus(
      ApiDependencies rooms, RunningTasks running, AutoscalingApi scaling) {
    NodeInstruments instruments = rooms.instruments();
    return new PrometheusApi(
        rooms.world().clock(),
        rooms.settings().data(),
        rooms.identity(),
        instruments.store(),
        instruments.process(),
        running,
        new TierMetrics(instruments.tiers()),
        scaling);
  }
}
