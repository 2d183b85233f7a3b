package dev.holdfast.api;

import dev.holdfast.api.broadcast.OwnedRequests;
import dev.holdfast.api.cluster.TransientSettings;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.enrich.EnrichSearches;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestSources;
import dev.holdfast.api.ingest.attachment.ParserLimits;
import dev.holdfast.api.ingest.attachment.ParserPool;
import dev.holdfast.api.ingest.place.StoredIpDatabases;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.snapshot.RunningSnapshots;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.api.tasks.TaskResults;
import dev.holdfast.api.tasks.TasksApi;
import dev.holdfast.api.tasks.TrackedApi;
import dev.holdfast.http.Routes;
import dev.holdfast.indexing.node.DiskRoom;
import java.util.Map;

/// Every API of this server: a class a namespace, a line an API.
public final class Apis {
  private Apis() {}

  public static Routes all(ApiDependencies rooms) {
    TransientSettings.forgetAfterRestart(rooms.metadata(), rooms.identity());
    ApiDependencies guarded = rooms.guarded();
    RunningTasks running =
        new RunningTasks(rooms.world(), rooms.identity(), rooms.instruments().use());
    Routes routes =
        new Routes(
            (verbs, path, api) -> new TrackedApi(running, rooms.world().clock(), verbs, path, api));
    EnrichSearches enrich = new EnrichSearches(rooms.metadata(), rooms.searches());
    StoredIpDatabases databases =
        new StoredIpDatabases(
            rooms.instruments().looking(),
            rooms.world().clock(),
            rooms.settings().data().resolve("ip-databases"));
    IngestSources sources =
        new IngestSources(
            enrich,
            databases,
            new ParserPool(
                rooms.world(),
                ParserLimits.ofMachine(),
                rooms.settings().data().resolve("parsers")));
    IngestPipelines ingest = new IngestPipelines(rooms.world(), rooms.metadata(), sources);
    NodeTroubles store =
        new NodeTroubles(
            rooms.world().clock(),
            rooms.instruments().store(),
            rooms.instruments().tiers(),
            new DiskRoom(rooms.world().clock(), rooms.settings().data().resolve("scratch")),
            rooms.nodesCalls());
    SearchUsage usage = new SearchUsage();
    RunningSnapshots snapshots = new RunningSnapshots(rooms.identity().id());
    NodesStatsApi stats =
        stats(
            rooms,
            ingest,
            Map.of(NodesStatsApi.USAGE, usage::write, NodesStatsApi.SNAPSHOTS, snapshots::write));
    WriteRequests writes =
        new WriteRequests(
            rooms.world(), rooms.metadata(), rooms.indexing(), guarded.creation(), ingest);
    TaskResults results =
        new TaskResults(rooms.metadata(), rooms.creation(), writes, rooms.indexing());
    BackgroundTasks background =
        new BackgroundTasks(rooms.world(), rooms.identity(), running, results);
    OwnedRequests owned = new OwnedRequests(rooms.nodesCalls());
    TasksApi tasks =
        new TasksApi(rooms.identity(), NodeRoles.names(), running, results, rooms.nodesCalls());
    InfoApis.add(routes, rooms);
    ClusterApis.add(routes, rooms, store, stats);
    NodesApis.add(routes, rooms, stats, running, owned);
    CatApis.add(routes, rooms, store, stats, tasks);
    IndicesApis.add(routes, guarded);
    AliasApis.add(routes, guarded.metadata(), rooms.world().clock());
    ShardApis.add(routes, rooms, background);
    TemplateApis.add(routes, guarded);
    DataStreamApis.add(routes, guarded, writes);
    LifecyclePolicyApis.add(routes, guarded, writes);
    DocumentApis.add(routes, rooms, writes, background);
    SearchApis.add(routes, rooms, owned, usage);
    ScriptApis.add(routes, guarded, usage);
    SynonymApis.add(routes, guarded);
    IngestApis.add(routes, guarded, ingest, sources);
    EnrichApis.add(routes, guarded, enrich, writes, background);
    SnapshotApis.add(routes, rooms, guarded, snapshots);
    TaskApis.add(routes, rooms, running, results, tasks, owned);
    DiagnosticsApis.add(routes, rooms, running);
    return routes;
  }

  private static NodesStatsApi stats(
      ApiDependencies rooms, IngestPipelines ingest, Map<String, NodesStatsApi.Section> asked) {
    return new NodesStatsApi(
        rooms.world().clock(),
        rooms.settings(),
        rooms.members(),
        rooms.searches(),
        rooms.instruments().tiers(),
        rooms.instruments().process(),
        rooms.nodesCalls(),
        ingest.figures(),
        asked);
  }
}
