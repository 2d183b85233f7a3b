package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.slm.SnapshotPoliciesApi;
import dev.holdfast.api.snapshot.RepositoriesApi;
import dev.holdfast.api.snapshot.RepositoryProof;
import dev.holdfast.api.snapshot.RunningSnapshots;
import dev.holdfast.api.snapshot.SnapshotRoom;
import dev.holdfast.api.snapshot.integrity.IntegrityApi;
import dev.holdfast.api.snapshot.mount.MountedCacheApi;
import dev.holdfast.api.snapshot.mount.MountedStatsApi;
import dev.holdfast.http.Api;
import dev.holdfast.http.IdleParameters;
import dev.holdfast.http.Routes;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.objectstore.ObjectStore;
import java.util.List;

/// The APIs about snapshots.
final class SnapshotApis {
  private SnapshotApis() {}

  /// @param guarded changes metadata only while the cluster has no block
  static void add(
      Routes routes, ApiDependencies rooms, ApiDependencies guarded, RunningSnapshots running) {
    ObjectStore own = rooms.instruments().looking();
    RepositoryStores stores = stores(rooms);
    repositories(routes, rooms, guarded, stores, own);
    SnapshotRoom room =
        SnapshotRoom.open(
            rooms.world(),
            guarded.metadata(),
            rooms.indexing(),
            stores,
            own,
            rooms.mappings(),
            running);
    snapshots(routes, room);
    mounted(routes, rooms);
    policies(
        routes,
        SnapshotPoliciesApi.start(
            room, stores, rooms.instruments().tiers().storeClock(), rooms.identity().id()));
  }

  private static void policies(Routes routes, SnapshotPoliciesApi policies) {
    List<String> waiting = List.of("master_timeout", "timeout");
    String one = "/_slm/policy/{policy_id}";
    routes
        .on("GET", "/_slm/policy", NONE, policies::get, waiting)
        .on("GET", one, NONE, policies::get, waiting)
        .on("PUT", one, REQUIRED, policies::put, waiting)
        .on("DELETE", one, NONE, policies::delete, waiting)
        .on("PUT|POST", one + "/_execute", NONE, policies::execute, waiting)
        .on("POST", "/_slm/_execute_retention", NONE, policies::executeRetention, waiting)
        .on("GET", "/_slm/stats", NONE, policies::stats, waiting)
        .on("GET", "/_slm/status", NONE, policies::status, waiting)
        .on("POST", "/_slm/start", NONE, policies.follow(true), waiting)
        .on("POST", "/_slm/stop", NONE, policies.follow(false), waiting);
  }

  private static void mounted(Routes routes, ApiDependencies rooms) {
    Api stats = new MountedStatsApi(rooms.metadata(), rooms.searches(), rooms.identity());
    MountedCacheApi cache =
        new MountedCacheApi(rooms.instruments().tiers().cache(), rooms.nodesCalls());
    String all = "/_searchable_snapshots";
    routes
        .on("GET", all + "/stats", NONE, stats, IndexExpression.parameters("level"))
        .on("GET", "/{index}" + all + "/stats", NONE, stats, IndexExpression.parameters("level"))
        .on("GET", all + "/cache/stats", NONE, cache::stats, List.of("master_timeout"))
        .on("GET", all + "/{node}/cache/stats", NONE, cache::stats, List.of("master_timeout"))
        .on("POST", all + "/cache/clear", NONE, cache::clear, IndexExpression.parameters())
        .on(
            "POST",
            "/{index}" + all + "/cache/clear",
            NONE,
            cache::clear,
            IndexExpression.parameters());
  }

  static RepositoryStores stores(ApiDependencies rooms) {
    return new RepositoryStores(
        rooms.world(), rooms.instruments().looking(), rooms.settings().repositories());
  }

  private static void snapshots(Routes routes, SnapshotRoom room) {
    String one = "/_snapshot/{repository}/{snapshot}";
    List<String> listing =
        List.of(
            "after",
            "from_sort_value",
            "ignore_unavailable",
            "include_repository",
            "index_details",
            "index_names",
            "master_timeout",
            "offset",
            "order",
            "size",
            "slm_policy_filter",
            "sort",
            "state",
            "verbose");
    List<String> waiting = List.of("master_timeout", "wait_for_completion");
    List<String> status = List.of("ignore_unavailable", "master_timeout");
    routes
        .on("PUT|POST", one, OPTIONAL, room.create()::handle, waiting)
        .on(
            "PUT",
            one + "/_clone/{target_snapshot}",
            REQUIRED,
            room.cloning()::handle,
            List.of("master_timeout"))
        .on("POST", one + "/_restore", OPTIONAL, room.restore()::handle, waiting)
        .on(
            "POST",
            one + "/_mount",
            REQUIRED,
            room.restore()::mount,
            List.of("master_timeout", "storage", "wait_for_completion"))
        .on("GET", one, NONE, room.list()::handle, listing)
        .on("DELETE", one, NONE, room.snapshots()::delete, waiting)
        .on("GET", "/_snapshot/_status", NONE, room.snapshots()::status, status)
        .on("GET", "/_snapshot/{repository}/_status", NONE, room.snapshots()::status, status)
        .on("GET", one + "/_status", NONE, room.snapshots()::status, status)
        .on(
            "POST",
            "/_snapshot/{repository}/_cleanup",
            NONE,
            room.snapshots()::cleanUp,
            List.of("master_timeout", "timeout"));
  }

  private static void repositories(
      Routes routes,
      ApiDependencies rooms,
      ApiDependencies guarded,
      RepositoryStores stores,
      ObjectStore own) {
    RepositoriesApi repositories =
        new RepositoriesApi(
            rooms.world(),
            guarded.metadata(),
            stores,
            new RepositoryProof(rooms.nodesCalls(), stores),
            own);
    String one = "/_snapshot/{repository}";
    List<String> reading = List.of("local", "master_timeout");
    List<String> waiting = List.of("master_timeout", "timeout");
    routes
        .on("GET", "/_snapshot", NONE, repositories::get, reading)
        .on("GET", one, NONE, repositories::get, reading)
        .on(
            "PUT|POST",
            one,
            REQUIRED,
            repositories::put,
            List.of("master_timeout", "timeout", "verify"))
        .on("DELETE", one, NONE, repositories::delete, waiting)
        .on("POST", one + "/_verify", NONE, repositories::verify, waiting)
        .on("POST", one + "/_analyze", NONE, repositories::analyze, IdleParameters.ANALYSIS)
        .on(
            "POST",
            one + "/_verify_integrity",
            NONE,
            new IntegrityApi(rooms.world(), rooms.metadata(), stores),
            List.of(
                "blob_thread_pool_concurrency",
                "index_snapshot_verification_concurrency",
                "index_verification_concurrency",
                "max_bytes_per_sec",
                "max_failed_shard_snapshots",
                "meta_thread_pool_concurrency",
                "snapshot_verification_concurrency",
                "verify_blob_contents"));
  }
}
