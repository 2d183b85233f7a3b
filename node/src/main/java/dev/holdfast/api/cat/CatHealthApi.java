package dev.holdfast.api.cat;

import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `GET /_cat/health`: the cluster's health on one line.
public final class CatHealthApi implements CatApi.Maker {
  private final Clock clock;
  private final String clusterName;
  private final ClusterMembers members;
  private final HealthReader shardHealth;
  private final NodeTroubles store;

  public CatHealthApi(
      Clock clock,
      String clusterName,
      ClusterMembers members,
      HealthReader shardHealth,
      NodeTroubles store) {
    this.clock = clock;
    this.clusterName = clusterName;
    this.members = members;
    this.shardHealth = shardHealth;
    this.store = store;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    boolean withTimes = request.flag("ts", true);
    CatTable table =
        (withTimes ? CatTimes.columns(new CatTable()) : new CatTable())
            .column("cluster", "cl", "cluster name")
            .column("status", "st", "health status")
            .column("node.total", "nt,nodeTotal", "total number of nodes")
            .column("node.data", "nd,nodeData", "number of nodes that can store data")
            .column("shards", "t,sh,shards.total,shardsTotal", "total number of shards")
            .column("pri", "p,shards.primary,shardsPrimary", "number of primary shards")
            .column("relo", "r,shards.relocating,shardsRelocating", "number of relocating nodes")
            .column(
                "init", "i,shards.initializing,shardsInitializing", "number of initializing nodes")
            .column(
                "unassign", "u,shards.unassigned,shardsUnassigned", "number of unassigned shards")
            .column(
                "unassign.pri",
                "up,shards.unassigned.primary,shardsUnassignedPrimary",
                "number of unassigned primary shards")
            .column("pending_tasks", "pt,pendingTasks", "number of pending tasks")
            .column(
                "max_task_wait_time", "mtwt,maxTaskWaitTime", "wait time of longest task pending")
            .column(
                "active_shards_percent",
                "asp,activeShardsPercent",
                "active number of shards in percent");
    ClusterHealth health = shardHealth.of("", ClusterHealth.EVERYTHING).with(store.now());
    long all = health.places().count();
    long active = health.places().filter(ShardRouting::isActive).count();
    double percent = all == 0 ? 100 : 100.0 * active / all;
    List<Object> row = new ArrayList<>();
    if (withTimes) {
      long now = clock.epochMillis();
      row.add(CatTimes.epoch(now));
      row.add(CatTimes.timestamp(now));
    }
    row.addAll(
        List.of(
            clusterName,
            health.status().label(),
            members.all().size(),
            members.data(),
            active,
            health.started(),
            count(health, ShardRouting.RELOCATING),
            count(health, ShardRouting.INITIALIZING),
            count(health, ShardRouting.UNASSIGNED),
            health.places().filter(p -> p.isPrimary() && p.isUnassigned()).count(),
            0,
            "-",
            String.format(Locale.ROOT, "%.1f%%", percent)));
    table.row(row.toArray());
    return table;
  }

  private static long count(ClusterHealth health, String state) {
    return health.places().filter(place -> place.state().equals(state)).count();
  }
}
