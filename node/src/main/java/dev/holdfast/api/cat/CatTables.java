package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.stats.FieldFigures;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The `_cat` tables that take a few lines each.
public final class CatTables {
  private final ClusterMembers members;
  private final IndexingShards indexing;
  private final Searches searches;
  private final NodesStatsApi stats;

  public CatTables(
      ClusterMembers members, IndexingShards indexing, Searches searches, NodesStatsApi stats) {
    this.members = members;
    this.indexing = indexing;
    this.searches = searches;
    this.stats = stats;
  }

  /// `GET /_cat/allocation`, `/_cat/allocation/{node}`: shards and disk of each node.
  public CatTable allocation(ApiRequest request) throws IOException, InterruptedException {
    CatTable table =
        new CatTable()
            .column("shards", "s", "number of shards on node")
            .column("shards.undesired", "", "number of shards that are not where they should be")
            .column(
                "write_load.forecast", "wlf,writeLoadForecast", "sum of index write load forecasts")
            .column(
                "disk.indices.forecast", "dif,diskIndicesForecast", "sum of shard size forecasts")
            .column("disk.indices", "di,diskIndices", "disk used by ES indices")
            .column("disk.used", "du,diskUsed", "disk used (total, not just ES)")
            .column("disk.avail", "da,diskAvail", "disk available")
            .column("disk.total", "dt,diskTotal", "total capacity of all volumes")
            .column("disk.percent", "dp,diskPercent", "percent disk used")
            .column("host", "h", "host of node")
            .column("ip", "", "ip of node")
            .column("node", "n", "name of node")
            .column("node.role", "r,role,nodeRole", "node roles");
    List<ShardFigures> shards =
        ShardFigures.of(indexing, members.metadata().current().indices().values());
    ClusterState state = members.metadata().current();
    List<NodeIdentity> chosen =
        members.all().stream()
            .filter(node -> NodeSelector.isChosen(request, members, Set.of(), node))
            .toList();
    SortedMap<String, JsonNode> disks = stats.told(request, List.of("fs")).nodes();
    for (NodeIdentity node : chosen) {
      List<ShardFigures> held =
          shards.stream()
              .filter(shard -> shard.places(state).stream().anyMatch(p -> isAt(p, node)))
              .toList();
      long heldCount =
          shards.stream().flatMap(s -> s.places(state).stream()).filter(p -> isAt(p, node)).count();
      ByteSize stored = new ByteSize(ShardFigures.sum(held).storeBytes());
      CountedNode counted = new CountedNode(disks.get(node.id()));
      Double used = counted.usedPercent("/fs/total");
      table.row(
          heldCount,
          0,
          0.0,
          stored,
          stored,
          counted.used("/fs/total"),
          counted.bytes("/fs/total/available_in_bytes"),
          counted.bytes("/fs/total/total_in_bytes"),
          used == null ? null : used.longValue(),
          node.host(),
          node.host(),
          node.name(),
          NodeRoles.letters(node));
    }
    return table;
  }

  private static boolean isAt(ShardRouting place, NodeIdentity node) {
    return place.isActive() && place.node().equals(node.id());
  }

  /// `GET /_cat/nodeattrs`: nodes have none.
  public CatTable attributes(ApiRequest request) {
    return new CatTable()
        .column("node", "name", "node name")
        .hidden("id", "id,nodeId", "unique node id")
        .hidden("pid", "p", "process id")
        .column("host", "h", "host name")
        .column("ip", "i", "ip address")
        .hidden("port", "po", "bound transport port")
        .column("attr", "attr.name", "attribute description")
        .column("value", "attr.value", "attribute value");
  }

  /// `GET /_cat/plugins`: there are none.
  public CatTable plugins(ApiRequest request) {
    return new CatTable()
        .hidden("id", "", "unique node id")
        .column("name", "n", "node name")
        .column("component", "c", "component")
        .column("version", "v", "component version")
        .hidden("description", "d", "plugin details");
  }

  /// `GET /_cat/fielddata`: what the field data of texts take on the nodes that index them.
  public CatTable fieldData(ApiRequest request) throws IOException {
    CatTable table =
        new CatTable()
            .column("id", "", "node id")
            .column("host", "h", "host name")
            .column("ip", "", "ip address")
            .column("node", "n", "node name")
            .column("field", "f", "field name")
            .column("size", "s", "field data usage");
    List<String> wanted = request.list("fields");
    ClusterState state = members.metadata().current();
    Map<String, List<FieldFigures>> byNode = new TreeMap<>();
    for (ShardFigures shard : ShardFigures.of(indexing, state.indices().values())) {
      if (shard.isStarted()) {
        byNode
            .computeIfAbsent(shard.places(state).getFirst().node(), _ -> new ArrayList<>())
            .add(FieldFigures.of(searches::askIfOpen, shard.index(), shard.shard()));
      }
    }
    for (NodeIdentity node : members.all()) {
      FieldFigures.sum(byNode.getOrDefault(node.id(), List.of()))
          .fieldData()
          .forEach((field, bytes) -> {
            if (wanted.isEmpty() || wanted.stream().anyMatch(w -> Wildcards.matches(w, field))) {
              table.row(
                  node.id(), node.host(), node.host(), node.name(), field, new ByteSize(bytes));
            }
          });
    }
    return table;
  }

  /// `GET /_cat/repositories`.
  public CatTable repositories(ApiRequest request) {
    CatTable table =
        new CatTable()
            .column("id", "id,repoId", "unique repository id")
            .column("type", "t,type", "repository type");
    Repositories.all(members.metadata().current())
        .forEach((name, one) -> table.row(name, one.type()));
    return table;
  }

  /// `GET /_cat/pending_tasks`: updates are applied as they come; none is kept waiting long enough
  /// to be shown.
  public CatTable pendingTasks(ApiRequest request) {
    return new CatTable()
        .column("insertOrder", "o", "task insertion order")
        .column("timeInQueue", "t", "how long task has been in queue")
        .column("priority", "p", "task priority")
        .column("source", "s", "task source");
  }
}
