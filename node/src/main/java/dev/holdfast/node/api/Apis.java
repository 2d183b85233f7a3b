package dev.holdfast.node.api;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.eyes.EyesApis;
import dev.holdfast.node.api.eyes.StoreTroubles;
import dev.holdfast.node.api.ingest.Ingest;
import dev.holdfast.node.api.task.RunningTasks;
import dev.holdfast.node.api.task.TaskActions;
import dev.holdfast.node.api.task.TrackedApi;
import dev.holdfast.node.http.Routes;

/// Every API of this server.
public final class Apis {
  private Apis() {}

  public static Routes all(Rooms rooms) {
    TransientSettings.forgetAfterRestart(rooms);
    RunningTasks tasks = new RunningTasks(rooms.world(), rooms.identity());
    Routes routes =
        new Routes((verbs, path, api) ->
            new TrackedApi(tasks, rooms.world().clock(), TaskActions.of(verbs, path), api));
    Ingest ingest = new Ingest(rooms.world(), rooms.metadata());
    StoreTroubles store = new StoreTroubles(rooms);
    NodeApis.add(routes, rooms, ingest.figures(), store);
    EyesApis.add(routes, rooms);
    DataApis.add(routes, rooms, ingest);
    QueryApis.add(routes, rooms);
    TemplateApis.add(routes, rooms);
    MaintenanceApis.add(routes, rooms, tasks, store);
    TaskApis.add(routes, rooms, tasks, ingest);
    IndexApis.add(routes, rooms);
    IngestApis.add(routes, rooms, ingest);
    return routes;
  }
}
