package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;
import static dev.holdfast.node.http.BodyRule.OPTIONAL;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.api.eyes.StoreTroubles;
import dev.holdfast.node.api.index.BlockApi;
import dev.holdfast.node.api.index.CreateFromApi;
import dev.holdfast.node.api.index.DiskUsageApi;
import dev.holdfast.node.api.index.FieldUsageApi;
import dev.holdfast.node.api.index.IndexCreation;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.api.index.RecoveryApi;
import dev.holdfast.node.api.index.ResizeApi;
import dev.holdfast.node.api.index.ResolveClusterApi;
import dev.holdfast.node.api.index.RolloverApi;
import dev.holdfast.node.api.index.SegmentsApi;
import dev.holdfast.node.api.index.ShardStoresApi;
import dev.holdfast.node.api.task.RunningTasks;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The APIs that look after indices: what they are made of, blocks, the next of a series, other
/// numbers of shards.
final class MaintenanceApis {
  private MaintenanceApis() {}

  static void add(Routes routes, Rooms rooms, RunningTasks tasks, StoreTroubles store) {
    IndexCreation creation = new IndexCreation(rooms.world(), rooms.metadata(), rooms.mappings());
    resizing(routes, new ResizeApi(rooms.metadata(), creation, rooms.indexing()));
    routes.on(
        "PUT|POST",
        "/_create_from/{source}/{dest}",
        OPTIONAL,
        new CreateFromApi(rooms.metadata(), creation, rooms.indexing()),
        "master_timeout",
        "timeout");
    Api rollover =
        new RolloverApi(rooms.metadata(), creation, rooms.indexing(), rooms.world().clock());
    BlockApi blocks = new BlockApi(rooms.metadata());
    AllocationApi allocation = new AllocationApi(rooms, new ClusterStateApi(rooms));
    List<String> changing = targets("master_timeout", "timeout");
    routes
        .on("POST", "/{alias}/_rollover", OPTIONAL, rollover, RolloverApi.PARAMETERS)
        .on("POST", "/{alias}/_rollover/{new_index}", OPTIONAL, rollover, RolloverApi.PARAMETERS)
        .on("PUT", "/{index}/_block/{block}", NONE, blocks.add(), changing)
        .on("DELETE", "/{index}/_block/{block}", NONE, blocks.remove(), changing)
        .on(
            "GET|POST",
            "/_cluster/allocation/explain",
            OPTIONAL,
            allocation::explain,
            "include_disk_info",
            "include_yes_decisions",
            "master_timeout")
        .on(
            "POST",
            "/_cluster/reroute",
            OPTIONAL,
            allocation::reroute,
            "dry_run",
            "explain",
            "master_timeout",
            "metric",
            "retry_failed",
            "timeout");
    NodesExtraApi nodes = new NodesExtraApi(rooms, tasks);
    nodes(routes, nodes);
    inspecting(routes, rooms, store);
    cat(routes, rooms, tasks);
  }

  private static void resizing(Routes routes, ResizeApi resize) {
    for (ResizeApi.Kind kind : ResizeApi.Kind.values()) {
      routes.on(
          "PUT|POST",
          "/{index}/_" + kind.name().toLowerCase(Locale.ROOT) + "/{target}",
          OPTIONAL,
          resize.of(kind),
          "master_timeout",
          "timeout",
          "wait_for_active_shards",
          "copy_settings");
    }
  }

  private static void nodes(Routes routes, NodesExtraApi nodes) {
    List<String> ofHotThreads =
        List.of(
            "ignore_idle_threads", "interval", "snapshots", "sort", "threads", "timeout", "type");
    routes
        .on("GET", "/_nodes/usage", NONE, nodes::usage, "timeout")
        .on("GET", "/_nodes/usage/{metric}", NONE, nodes::usage, "timeout")
        .on("GET", "/_nodes/{node}/usage", NONE, nodes::usage, "timeout")
        .on("GET", "/_nodes/{node}/usage/{metric}", NONE, nodes::usage, "timeout")
        .on("GET", "/_nodes/hot_threads", NONE, nodes::hotThreads, ofHotThreads)
        .on("GET", "/_nodes/{node}/hot_threads", NONE, nodes::hotThreads, ofHotThreads)
        .on("POST", "/_nodes/reload_secure_settings", OPTIONAL, nodes::reload, "timeout")
        .on("POST", "/_nodes/{node}/reload_secure_settings", OPTIONAL, nodes::reload, "timeout");
  }

  private static void inspecting(Routes routes, Rooms rooms, StoreTroubles store) {
    Api segments = new SegmentsApi(rooms.metadata(), rooms.searches(), rooms.identity());
    Api recovery = new RecoveryApi(rooms.metadata(), rooms.indexing(), rooms.identity());
    Api stores = new ShardStoresApi(rooms.metadata(), rooms.identity());
    Api resolve = new ResolveClusterApi(rooms.metadata());
    Api health = new HealthReportApi(rooms, store);
    Api clear = new ClearCacheApi(rooms);
    List<String> ofRecovery = targets("active_only", "detailed", "local", "master_timeout");
    List<String> ofCaches = targets("fielddata", "fields", "query", "request", "index");
    routes
        .on("GET", "/_segments", NONE, segments, targets("verbose"))
        .on("GET", "/{index}/_segments", NONE, segments, targets("verbose"))
        .on(
            "GET",
            "/{index}/_field_usage_stats",
            NONE,
            new FieldUsageApi(rooms.metadata(), rooms.searches()),
            targets("fields"))
        .on("GET", "/_recovery", NONE, recovery, ofRecovery)
        .on("GET", "/{index}/_recovery", NONE, recovery, ofRecovery)
        .on(
            "POST",
            "/{index}/_disk_usage",
            NONE,
            new DiskUsageApi(rooms.metadata(), rooms.indexing(), rooms.searches()),
            targets("flush", "run_expensive_tasks"))
        .on("GET", "/_resolve/cluster", NONE, resolve, targets("timeout"))
        .on("GET", "/_resolve/cluster/{name}", NONE, resolve, targets("timeout"))
        .on("GET", "/_health_report", NONE, health, "size", "timeout", "verbose")
        .on("GET", "/_health_report/{feature}", NONE, health, "size", "timeout", "verbose")
        .on("GET", "/_shard_stores", NONE, stores, targets("status"))
        .on("GET", "/{index}/_shard_stores", NONE, stores, targets("status"))
        .on("POST", "/_cache/clear", NONE, clear, ofCaches)
        .on("POST", "/{index}/_cache/clear", NONE, clear, ofCaches);
  }

  private static void cat(Routes routes, Rooms rooms, RunningTasks tasks) {
    CatRoutes cat = new CatRoutes(routes);
    CatTemplatesApi templates = new CatTemplatesApi(rooms);
    CatApi.Maker recovery = new CatRecoveryApi(rooms);
    CatApi.Maker segments = new CatSegmentsApi(rooms);
    cat.on("/_cat/segments", segments);
    cat.on("/_cat/segments/{index}", segments);
    cat.on("/_cat/recovery", recovery, "active_only", "detailed", "index");
    cat.on("/_cat/recovery/{index}", recovery, "active_only", "detailed");
    cat.on("/_cat/templates", templates::templates);
    cat.on("/_cat/templates/{name}", templates::templates);
    cat.on("/_cat/component_templates", templates::components);
    cat.on("/_cat/component_templates/{name}", templates::components);
    cat.on(
        "/_cat/tasks",
        new CatTasksApi(rooms, tasks),
        "actions",
        "detailed",
        "node_id",
        "nodes",
        "parent_task_id",
        "timeout",
        "wait_for_completion");
  }

  private static List<String> targets(String... more) {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.addAll(List.of(more));
    return all;
  }
}
