package dev.holdfast.node.api;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.document.WriteRequests;
import dev.holdfast.node.api.eyes.StoreTroubles;
import dev.holdfast.node.api.ingest.Ingest;
import dev.holdfast.node.api.task.BackgroundTasks;
import dev.holdfast.node.api.task.RunningTasks;
import dev.holdfast.node.api.task.TaskActions;
import dev.holdfast.node.api.task.TaskResults;
import dev.holdfast.node.api.task.TrackedApi;
import dev.holdfast.node.http.Routes;

/// Every API of this server: a class a namespace, a line an API.
public final class Apis {
  private Apis() {}

  public static Routes all(Rooms rooms) {
    TransientSettings.forgetAfterRestart(rooms.metadata(), rooms.identity());
    RunningTasks running = new RunningTasks(rooms.world(), rooms.identity());
    Routes routes =
        new Routes((verbs, path, api) ->
            new TrackedApi(running, rooms.world().clock(), TaskActions.of(verbs, path), api));
    Ingest ingest = new Ingest(rooms.world(), rooms.metadata());
    StoreTroubles store =
        new StoreTroubles(
            rooms.world().clock(), rooms.instruments().store().health(), rooms.nodesCalls());
    NodesStatsApi stats = stats(rooms, ingest);
    WriteRequests writes =
        new WriteRequests(
            rooms.world(), rooms.metadata(), rooms.indexing(), rooms.creation(), ingest);
    TaskResults results =
        new TaskResults(rooms.metadata(), rooms.creation(), writes, rooms.indexing());
    BackgroundTasks background =
        new BackgroundTasks(rooms.world(), rooms.identity(), running, results);
    InfoApis.add(routes, rooms);
    ClusterApis.add(routes, rooms, store, stats);
    NodesApis.add(routes, rooms, stats, running);
    CatApis.add(routes, rooms, store, stats, running);
    IndicesApis.add(routes, rooms);
    AliasApis.add(routes, rooms.metadata());
    ShardApis.add(routes, rooms, background);
    TemplateApis.add(routes, rooms);
    DocumentApis.add(routes, rooms, writes, background);
    SearchApis.add(routes, rooms);
    ScriptApis.add(routes, rooms);
    SynonymApis.add(routes, rooms);
    IngestApis.add(routes, rooms, ingest);
    TaskApis.add(routes, rooms, running, results);
    DiagnosticsApis.add(routes, rooms);
    return routes;
  }

  private static NodesStatsApi stats(Rooms rooms, Ingest ingest) {
    return new NodesStatsApi(
        rooms.world().clock(),
        rooms.settings(),
        rooms.members(),
        rooms.searches(),
        rooms.instruments().tiers(),
        rooms.instruments().process(),
        rooms.nodesCalls(),
        ingest.figures());
  }
}
