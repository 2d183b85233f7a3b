package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.stats.HostStats;
import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.search.SearchTier;
import dev.holdfast.world.Json;
import dev.holdfast.world.WorkPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `GET /_holdfast/tiers`: the members of the cluster by role (§3), what each holds and how busy it
/// is.
public final class TiersApi implements Api {
  private final Path data;
  private final Metadata metadata;
  private final TierParts tiers;
  private final ProcessGauges gauges;
  private final Broadcast nodes;

  public TiersApi(
      Path data, Metadata metadata, TierParts tiers, ProcessGauges gauges, Broadcasts calls) {
    this.data = data;
    this.metadata = metadata;
    this.tiers = tiers;
    this.gauges = gauges;
    this.nodes = calls.call("tiers", _ -> here());
  }

  private JsonNode here() {
    ObjectNode load = Json.object();
    HostStats machine = HostStats.now(data);
    load.put("cpu", Math.max(0, machine.processCpuLoad()));
    load.put("heap_used_bytes", machine.heapUsed());
    load.put("heap_max_bytes", machine.heapMax());
    load.put("disk_free_bytes", machine.diskUsable());
    load.put("connections", gauges.connections().getAsInt());
    load.put("requests_current", gauges.http().current());
    load.put("request_bytes_in_flight", gauges.requestBytes().bytes());
    IndexingTier indexing = tiers.indexing();
    if (indexing != null) {
      load.putObject("indexing")
          .put("open_shards", indexing.openShardCount())
          .put("hollow_shards", indexing.hollowShards())
          .put(
              "write_load",
              indexing.loads().values().stream().mapToDouble(ShardLoad::writes).sum());
    }
    SearchTier search = tiers.search();
    if (search != null) {
      load.putObject("search")
          .put("hollow_copies", search.hollowCopies())
          .put("open_contexts", search.openContexts());
    }
    ObjectNode pools = load.putObject("pools");
    for (WorkPool pool : gauges.pools()) {
      pools
          .putObject(pool.name())
          .put("threads", pool.threads())
          .put("active", pool.active())
          .put("queued", pool.queued())
          .put("rejected", pool.rejected());
    }
    return load;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ClusterState state = metadata.current();
    Broadcast.Seen seen = nodes.ask(Json.object(), request);
    ObjectNode answer = Json.object();
    answer.put("leader", metadata.leaderId());
    answer.put("term", state.term()).put("state_version", state.version());
    seen.nameSilent(answer);
    List<ShardAssignment> places = new ArrayList<>();
    state.assignments().values().forEach(places::addAll);
    ObjectNode named = answer.putObject("tiers");
    for (Role role : Role.values()) {
      ArrayNode members = named.putArray(role.label());
      state.members().values().stream()
          .filter(member -> member.roles().contains(role))
          .forEach(member -> members.add(member.id()));
    }
    ObjectNode nodesById = answer.putObject("nodes");
    for (Member member : state.members().values()) {
      nodesById.set(member.id(), member(member, places, seen));
    }
    return Answer.of(200, answer);
  }

  private static ObjectNode member(
      Member member, List<ShardAssignment> places, Broadcast.Seen seen) {
    String id = member.id();
    ObjectNode one = Json.object();
    one.put("name", member.name()).put("address", member.address());
    one.set("roles", roles(member));
    one.put("is_draining", member.isDraining());
    one.put("shards", places.stream().filter(place -> place.owner().equals(id)).count());
    one.put("moving_here", places.stream().filter(place -> place.target().equals(id)).count());
    one.put("copies", places.stream().filter(place -> place.hasCopy(id)).count());
    JsonNode load = seen.nodes().get(id);
    one.set("load", load == null ? Json.object() : load);
    return one;
  }

  private static ArrayNode roles(Member member) {
    ArrayNode roles = Json.object().putArray("roles");
    member.roles().forEach(role -> roles.add(role.label()));
    return roles;
  }
}
