package dev.holdfast.api.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.autoscaler.NodeLoad;
import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.SizeDecision;
import dev.holdfast.autoscaler.TierNeeds;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the nodes of a tier say of it, put together.
///
/// @param members of the tier, those that leave not counted
/// @param shared of those, how many are in the other tier, too
/// @param said by node
/// @param idle since any node of the cluster had a request for the tier; nothing while one is
///   silent
/// @param isAwaited whether a request on any node cannot be answered without the tier
record TierReport(
    int members,
    int shared,
    Map<String, JsonNode> said,
    List<NodeLoad> loads,
    Duration idle,
    boolean isAwaited) {
  /// What nodes say of their clients, beside their parts of the tiers.
  static final String USE = "use";

  private static final Duration MANY_DAYS = Duration.ofDays(10_000);

  static TierReport of(Role tier, Collection<Member> members, Broadcast.Seen seen) {
    Map<String, JsonNode> said = new TreeMap<>();
    List<NodeLoad> loads = new ArrayList<>();
    int holders = 0;
    int shared = 0;
    for (Member member : members) {
      if (member.roles().contains(tier) && !member.isDraining()) {
        holders++;
        shared += member.roles().containsAll(ScalingLoop.TIERS) ? 1 : 0;
        JsonNode its = seen.nodes().getOrDefault(member.id(), Json.object()).path(tier.label());
        if (its.isObject()) {
          said.put(member.id(), its);
          loads.add(load(member.id(), its));
        }
      }
    }
    Duration idle = seen.silent().isEmpty() ? MANY_DAYS : Duration.ZERO;
    boolean isAwaited = false;
    for (JsonNode node : seen.nodes().values()) {
      JsonNode use = node.path(USE).path(tier.label());
      // A node of an older build does not say it: it may have had one just now.
      Duration its = Duration.ofMillis(use.path("idle_millis").asLong(0));
      idle = its.compareTo(idle) < 0 ? its : idle;
      isAwaited |= use.path("is_awaited").asBoolean(false);
    }
    return new TierReport(holders, shared, said, loads, idle, isAwaited);
  }

  private static NodeLoad load(String node, JsonNode said) {
    return new NodeLoad(
        node,
        said.path("load").asDouble(Double.NaN),
        said.path("threads").asDouble(Double.NaN),
        Duration.ofMillis(said.path("age_millis").asLong(-1)));
  }

  /// All nodes are taken to be as large as the smallest.
  NodeSize nodeSize() {
    double cores =
        loads.stream().filter(NodeLoad::isCredible).mapToDouble(NodeLoad::threads).min().orElse(1);
    return NodeSize.ofCores(Math.max(1, (int) cores));
  }

  TierSize size() {
    return new TierSize(members, nodeSize());
  }

  /// The same, for a request that cannot be answered without the tier.
  TierReport awaited() {
    return new TierReport(members, shared, said, loads, idle, true);
  }

  /// @param idleMax since the tier was woken: it is idle for no longer
  TierNeeds needs(Duration idleMax) {
    Duration its = idle.compareTo(idleMax) < 0 ? idle : idleMax;
    return new TierNeeds(loads, members, 0, 0, 0, 0, its, isAwaited);
  }

  /// What a decision says of itself: `current_nodes`, `wanted_nodes`, `signals`, `explanation`.
  void tell(SizeDecision decision, ObjectNode json) {
    json.put("current_nodes", members);
    json.put("nodes_of_both_tiers", shared);
    json.put("wanted_nodes", decision.size().nodes());
    json.put("idle_millis", idle.toMillis());
    json.put("is_awaited", isAwaited);
    ArrayNode signals = json.putArray("signals");
    decision.signals().stream()
        .filter(signal -> signal.name().equals("load"))
        .forEach(signal ->
            signals
                .addObject()
                .put("name", signal.name())
                .put("enough_nodes", signal.enough().nodes())
                .put("why", signal.words()));
    ArrayNode why = json.putArray("explanation");
    decision.words().forEach(why::add);
    if (members > decision.size().nodes() && shared > 0) {
      why.add("a node of both tiers counts in each, and stays as long as one needs it");
    }
  }
}
