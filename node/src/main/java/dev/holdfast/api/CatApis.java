package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.OPTIONAL;

import dev.holdfast.api.cat.CatAliasesApi;
import dev.holdfast.api.cat.CatApi;
import dev.holdfast.api.cat.CatCountApi;
import dev.holdfast.api.cat.CatHealthApi;
import dev.holdfast.api.cat.CatIndicesApi;
import dev.holdfast.api.cat.CatNodeFigures;
import dev.holdfast.api.cat.CatNodesApi;
import dev.holdfast.api.cat.CatRecoveryApi;
import dev.holdfast.api.cat.CatRoutes;
import dev.holdfast.api.cat.CatSegmentsApi;
import dev.holdfast.api.cat.CatShardsApi;
import dev.holdfast.api.cat.CatSnapshotsApi;
import dev.holdfast.api.cat.CatTables;
import dev.holdfast.api.cat.CatTasksApi;
import dev.holdfast.api.cat.CatTemplatesApi;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.snapshot.NamedSnapshots;
import dev.holdfast.api.tasks.TasksApi;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Routes;
import java.util.List;

/// The APIs for people at a terminal: tables.
final class CatApis {
  private CatApis() {}

  static void add(
      Routes routes,
      ApiDependencies rooms,
      NodeTroubles store,
      NodesStatsApi stats,
      TasksApi tasks) {
    CatRoutes cat = new CatRoutes(routes);
    cluster(cat, rooms, store, stats, tasks);
    indices(cat, rooms);
    snapshots(cat, rooms);
    tables(cat, new CatTables(rooms.members(), rooms.indexing(), rooms.searches(), stats));
    nodeFigures(cat, new CatNodeFigures(rooms.members(), stats));
    routes.on("GET", "/_cat", OPTIONAL, cat.contents());
  }

  private static void cluster(
      CatRoutes cat,
      ApiDependencies rooms,
      NodeTroubles store,
      NodesStatsApi stats,
      TasksApi tasks) {
    CatNodesApi nodes =
        new CatNodesApi(rooms.world().clock(), rooms.settings(), rooms.members(), stats);
    CatTemplatesApi templates = new CatTemplatesApi(rooms.metadata());
    CatApi.Maker health =
        new CatHealthApi(
            rooms.world().clock(),
            rooms.settings().clusterName(),
            rooms.members(),
            rooms.shardHealth(),
            store);
    cat.on("/_cat/health", health);
    cat.on("/_cat/master", nodes::master);
    cat.on("/_cat/nodes", nodes, "include_unloaded_segments", "timeout");
    cat.on("/_cat/templates", templates::templates);
    cat.on("/_cat/templates/{name}", templates::templates);
    cat.on("/_cat/component_templates", templates::components);
    cat.on("/_cat/component_templates/{name}", templates::components);
    cat.on(
        "/_cat/tasks",
        new CatTasksApi(rooms.members(), tasks),
        "actions",
        "detailed",
        "nodes",
        "parent_task_id",
        "timeout",
        "wait_for_completion");
  }

  private static void indices(CatRoutes cat, ApiDependencies rooms) {
    Metadata metadata = rooms.metadata();
    CatApi.Maker aliases = new CatAliasesApi(metadata);
    CatApi.Maker count = new CatCountApi(rooms.world().clock(), metadata, rooms.searches());
    CatApi.Maker indices = new CatIndicesApi(metadata, rooms.indexing(), rooms.searches());
    CatApi.Maker shards =
        new CatShardsApi(
            rooms.settings().data(), rooms.members(), rooms.indexing(), rooms.searches());
    CatApi.Maker recovery = new CatRecoveryApi(rooms.identity(), metadata, rooms.indexing());
    CatApi.Maker segments = new CatSegmentsApi(rooms.identity(), metadata, rooms.searches());
    cat.on("/_cat/aliases", aliases, "expand_wildcards");
    cat.on("/_cat/aliases/{name}", aliases, "expand_wildcards");
    cat.onBody("/_cat/count", count, CatCountApi.PARAMETERS);
    cat.onBody("/_cat/count/{index}", count, CatCountApi.PARAMETERS);
    cat.on("/_cat/indices", indices, CatIndicesApi.PARAMETERS);
    cat.on("/_cat/indices/{index}", indices, CatIndicesApi.PARAMETERS);
    cat.on("/_cat/shards", shards, IndexExpression.PARAMETERS);
    cat.on("/_cat/shards/{index}", shards, IndexExpression.PARAMETERS);
    cat.on("/_cat/segments", segments, IndexExpression.PARAMETERS);
    cat.on("/_cat/segments/{index}", segments, IndexExpression.PARAMETERS);
    List<String> ofRecovery = IndexExpression.parameters("active_only", "detailed", "index");
    cat.on("/_cat/recovery", recovery, ofRecovery);
    cat.on("/_cat/recovery/{index}", recovery, ofRecovery);
  }

  private static void snapshots(CatRoutes cat, ApiDependencies rooms) {
    CatSnapshotsApi snapshots =
        new CatSnapshotsApi(
            rooms.world().clock(),
            new NamedSnapshots(rooms.metadata(), SnapshotApis.stores(rooms)));
    cat.on("/_cat/snapshots", snapshots, "ignore_unavailable");
    cat.on("/_cat/snapshots/{repository}", snapshots, "ignore_unavailable");
  }

  private static void tables(CatRoutes cat, CatTables tables) {
    cat.on("/_cat/allocation", tables::allocation);
    cat.on("/_cat/allocation/{node}", tables::allocation);
    cat.on("/_cat/fielddata", tables::fieldData, "fields");
    cat.on("/_cat/fielddata/{fields}", tables::fieldData, "fields");
    cat.on("/_cat/nodeattrs", tables::attributes);
    cat.on("/_cat/pending_tasks", tables::pendingTasks);
    cat.on("/_cat/plugins", tables::plugins, "include_bootstrap");
    cat.on("/_cat/repositories", tables::repositories);
  }

  private static void nodeFigures(CatRoutes cat, CatNodeFigures figures) {
    cat.on("/_cat/circuit_breaker", figures::breakers);
    cat.on("/_cat/circuit_breaker/{circuit_breaker_patterns}", figures::breakers);
    cat.on("/_cat/thread_pool", figures::threadPools);
    cat.on("/_cat/thread_pool/{thread_pool_patterns}", figures::threadPools);
  }
}
