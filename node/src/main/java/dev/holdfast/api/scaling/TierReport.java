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
/// @param said by node
record TierReport(int members, Map<String, JsonNode> said, List<NodeLoad> loads) {
  static TierReport of(Role tier, Collection<Member> members, Broadcast.Seen seen) {
    Map<String, JsonNode> said = new TreeMap<>();
    List<NodeLoad> loads = new ArrayList<>();
    int holders = 0;
    for (Member member : members) {
      if (member.roles().contains(tier) && !member.isDraining()) {
        holders++;
        JsonNode its = seen.nodes().getOrDefault(member.id(), Json.object()).path(tier.label());
        if (its.isObject()) {
          said.put(member.id(), its);
          loads.add(load(member.id(), its));
        }
      }
    }
    return new TierReport(holders, said, loads);
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

  TierNeeds needs() {
    return new TierNeeds(loads, members, 0, 0, 0, 0, Duration.ZERO, false);
  }

  /// What a decision says of itself: `current_nodes`, `wanted_nodes`, `signals`, `explanation`.
  void tell(SizeDecision decision, ObjectNode json) {
    json.put("current_nodes", members);
    json.put("wanted_nodes", decision.size().nodes());
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
  }
}
