package dev.holdfast.api.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.autoscaler.NodeLoad;
import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.ScalingPolicy;
import dev.holdfast.autoscaler.SizeDecision;
import dev.holdfast.autoscaler.SizeHistory;
import dev.holdfast.autoscaler.SizeLadder;
import dev.holdfast.autoscaler.TierNeeds;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.autoscaler.TierSizing;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `GET /_holdfast/autoscaling`: the load of each tier as its nodes tell it, and what that asks for
/// (§7). Nothing is started or stopped by it, and nothing is remembered: what it says is what would
/// be done now, and that is never to make a tier smaller.
public final class AutoscalingApi implements Api {
  private static final List<Role> TIERS = List.of(Role.INDEX, Role.SEARCH);

  private final Metadata metadata;
  private final NodeLoads loads;
  private final Broadcast nodes;

  public AutoscalingApi(Metadata metadata, NodeLoads loads, Broadcasts calls) {
    this.metadata = metadata;
    this.loads = loads;
    this.nodes = calls.call("autoscaling", _ -> here());
  }

  private JsonNode here() {
    ObjectNode tiers = Json.object();
    loads
        .byTier()
        .forEach((tier, load) ->
            tiers
                .putObject(tier.label())
                .put("load", load.load())
                .put("threads", load.threads())
                .put("queued", load.queued())
                .put("age_millis", loads.ageMillis(load)));
    return tiers;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<Member> members = List.copyOf(metadata.current().members().values());
    Broadcast.Seen seen = nodes.ask(Json.object(), request);
    ObjectNode answer = Json.object();
    answer.put("leader", metadata.leaderId());
    answer.put("provisioner", "none");
    seen.nameSilent(answer);
    ObjectNode tiers = answer.putObject("tiers");
    for (Role tier : TIERS) {
      tiers.set(tier.label(), tier(tier, members, seen));
    }
    return Answer.of(200, answer);
  }

  private static ObjectNode tier(Role tier, List<Member> members, Broadcast.Seen seen) {
    List<Member> holders =
        members.stream().filter(m -> m.roles().contains(tier) && !m.isDraining()).toList();
    List<NodeLoad> told = new ArrayList<>();
    ObjectNode json = Json.object();
    ObjectNode nodesById = json.putObject("nodes");
    for (Member member : holders) {
      JsonNode said = seen.nodes().getOrDefault(member.id(), Json.object()).path(tier.label());
      if (said.isObject()) {
        NodeLoad load = load(member.id(), said);
        told.add(load);
        nodesById.set(member.id(), said.deepCopy());
        ((ObjectNode) nodesById.get(member.id())).put("is_credible", load.isCredible());
      }
    }
    decide(json, told, holders.size());
    return json;
  }

  private static NodeLoad load(String node, JsonNode said) {
    return new NodeLoad(
        node,
        said.path("load").asDouble(Double.NaN),
        said.path("threads").asDouble(Double.NaN),
        Duration.ofMillis(said.path("age_millis").asLong(-1)));
  }

  /// All nodes are taken to be as large as the smallest.
  private static void decide(ObjectNode json, List<NodeLoad> told, int members) {
    int cores =
        (int)
            told.stream()
                .filter(NodeLoad::isCredible)
                .mapToDouble(NodeLoad::threads)
                .min()
                .orElse(1);
    NodeSize size = NodeSize.ofCores(Math.max(1, cores));
    TierSizing sizing =
        new TierSizing(
            SizeLadder.of(List.of(size), 0, SizeLadder.NODES_MAX), ScalingPolicy.defaults());
    TierNeeds needs = new TierNeeds(told, members, 0, 0, 0, 0, Duration.ZERO, false);
    SizeDecision decision = sizing.decide(needs, new TierSize(members, size), SizeHistory.NONE, 0);
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
