package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.nodes.AboutNode;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// The `_cat` tables with several lines for each node: what its thread pools and circuit breakers
/// count. A node that does not answer in time has no lines.
public final class CatNodeFigures {
  private final ClusterMembers members;
  private final NodesStatsApi stats;

  public CatNodeFigures(ClusterMembers members, NodesStatsApi stats) {
    this.members = members;
    this.stats = stats;
  }

  /// `GET /_cat/thread_pool`: what the pools do.
  public CatTable threadPools(ApiRequest request) throws InterruptedException {
    CatTable table =
        new CatTable()
            .column("node_name", "nn", "node name")
            .hidden("node_id", "id", "persistent node id")
            .hidden("pid", "p", "process id")
            .hidden("ephemeral_node_id", "eid", "ephemeral node id")
            .hidden("host", "h", "host name")
            .hidden("ip", "i", "ip address")
            .hidden("port", "po", "bound transport port")
            .column("name", "n", "thread pool name")
            .hidden("type", "t", "thread pool type")
            .column("active", "a", "number of active threads")
            .hidden("pool_size", "psz", "number of threads")
            .column("queue", "q", "number of tasks currently in queue")
            .hidden("queue_size", "qs", "maximum number of tasks permitted in queue")
            .column("rejected", "r", "number of rejected tasks")
            .hidden("largest", "l", "highest number of seen active threads")
            .hidden("completed", "c", "number of completed tasks")
            .hidden("core", "cr", "core number of threads in a scaling thread pool")
            .hidden("max", "mx", "maximum number of threads in a scaling thread pool")
            .hidden("size", "sz", "number of threads in a fixed thread pool")
            .hidden("keep_alive", "ka", "thread keep alive time");
    List<String> wanted = request.list("thread_pool_patterns");
    SortedMap<String, JsonNode> all =
        stats.told(request, List.of("thread_pool", AboutNode.SECTION)).nodes();
    for (NodeIdentity node : members.all()) {
      JsonNode answer = all.get(node.id());
      if (answer == null) {
        continue;
      }
      JsonNode about = answer.path(AboutNode.SECTION);
      for (Map.Entry<String, JsonNode> pool : answer.path("thread_pool").properties()) {
        if (isWanted(wanted, pool.getKey())) {
          CountedNode does = new CountedNode(pool.getValue());
          CountedNode is = new CountedNode(about.path("thread_pool").path(pool.getKey()));
          table.row(
              node.name(),
              node.id(),
              new CountedNode(about).number("/pid"),
              node.id(),
              node.host(),
              node.host(),
              node.port(),
              pool.getKey(),
              is.text("/type"),
              does.number("/active"),
              does.number("/threads"),
              does.number("/queue"),
              is.number("/queue_size"),
              does.number("/rejected"),
              does.number("/largest"),
              does.number("/completed"),
              is.number("/core"),
              is.number("/max"),
              is.number("/size"),
              is.text("/keep_alive"));
        }
      }
    }
    return table;
  }

  /// `GET /_cat/circuit_breaker`: what is held of each budget of memory.
  public CatTable breakers(ApiRequest request) throws InterruptedException {
    CatTable table =
        new CatTable()
            .column("node_id", "id", "persistent node id")
            .hidden("node_name", "nn", "node name")
            .column("breaker", "br", "breaker name")
            .column("limit", "l", "limit size")
            .hidden("limit_bytes", "lb", "limit size in bytes")
            .column("estimated", "e", "estimated size")
            .hidden("estimated_bytes", "eb", "estimated size in bytes")
            .column("tripped", "t", "tripped count")
            .hidden("overhead", "o", "overhead");
    List<String> wanted = request.list("circuit_breaker_patterns");
    SortedMap<String, JsonNode> all = stats.told(request, List.of("breaker")).nodes();
    for (NodeIdentity node : members.all()) {
      JsonNode answer = all.get(node.id());
      if (answer == null) {
        continue;
      }
      for (Map.Entry<String, JsonNode> breaker : answer.path("breakers").properties()) {
        if (isWanted(wanted, breaker.getKey())) {
          long limit = breaker.getValue().path("limit_size_in_bytes").asLong();
          long estimated = breaker.getValue().path("estimated_size_in_bytes").asLong();
          table.row(
              node.id(),
              node.name(),
              breaker.getKey(),
              new ByteSize(limit),
              limit,
              new ByteSize(estimated),
              estimated,
              breaker.getValue().path("tripped").asLong(),
              breaker.getValue().path("overhead").asDouble());
        }
      }
    }
    return table;
  }

  private static boolean isWanted(List<String> wanted, String name) {
    return wanted.isEmpty() || wanted.stream().anyMatch(one -> Wildcards.matches(one, name));
  }
}
