package dev.holdfast.api.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.autoscaler.ScalingPolicy;
import dev.holdfast.autoscaler.SizeHistory;
import dev.holdfast.autoscaler.SizeLadder;
import dev.holdfast.autoscaler.TierSizing;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.provision.Provisioner;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// `GET /_holdfast/autoscaling`: the load of each tier as its nodes tell it, and what that asks for
/// at this moment, nothing remembered. `GET /_holdfast/autoscaling/explain`: what the leader
/// decided last, with all that it remembers (§7).
public final class AutoscalingApi {
  private static final String EXPLAIN = "explain";

  private final Metadata metadata;
  private final NodeLoads loads;
  private final RunningTasks running;
  private final Provisioner provisioner;
  private final Broadcast nodes;
  private final ScalingLoop loop;

  /// @param self this node's ephemeral id
  public AutoscalingApi(
      World world,
      Metadata metadata,
      NodeLoads loads,
      RunningTasks running,
      Broadcasts calls,
      Provisioner provisioner,
      String self) {
    this.metadata = metadata;
    this.loads = loads;
    this.running = running;
    this.provisioner = provisioner;
    this.nodes = calls.call("autoscaling", this::here);
    this.loop = new ScalingLoop(world, metadata, nodes, running, provisioner, self);
  }

  /// Decides while this node leads.
  public void start() {
    loop.start();
  }

  /// The load of this node's part of each tier, in threads.
  public Map<Role, Double> load() {
    Map<Role, Double> byTier = new EnumMap<>(Role.class);
    loads.byTier().forEach((tier, load) -> byTier.put(tier, load.load()));
    return byTier;
  }

  /// How many nodes each tier should have; empty on a node that does not lead.
  public Map<Role, Integer> wanted() {
    return loop.wanted();
  }

  /// Who starts and stops nodes.
  public String provisioner() {
    return provisioner.name();
  }

  /// Whether it could not when it last should have; never on a node that does not lead.
  public boolean isProvisionerFailing() {
    return loop.isFailing();
  }

  private JsonNode here(JsonNode question) {
    if (question.has(EXPLAIN)) {
      ObjectNode explained = loop.explain();
      return explained == null ? Json.object() : explained;
    }
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
    ObjectNode use = tiers.putObject(TierReport.USE);
    for (Role tier : ScalingLoop.TIERS) {
      use.putObject(tier.label())
          .put("idle_millis", running.idle(tier).toMillis())
          .put("is_awaited", running.isAwaited(tier));
    }
    return tiers;
  }

  /// `GET /_holdfast/autoscaling`.
  public Api now() {
    return request -> {
      List<Member> members = List.copyOf(metadata.current().members().values());
      Broadcast.Seen seen = nodes.ask(Json.object(), request);
      ObjectNode answer = Json.object();
      answer.put("leader", metadata.leaderId());
      answer.put("provisioner", provisioner.name());
      seen.nameSilent(answer);
      ObjectNode tiers = answer.putObject("tiers");
      ScalingLoop.TIERS.forEach(
          tier -> tell(TierReport.of(tier, members, seen), tiers.putObject(tier.label())));
      return Answer.of(200, answer);
    };
  }

  private static void tell(TierReport report, ObjectNode json) {
    ObjectNode byNode = json.putObject("nodes");
    report.said().forEach((node, said) -> byNode.set(node, said.deepCopy()));
    report
        .loads()
        .forEach(
            load -> ((ObjectNode) byNode.path(load.node())).put("is_credible", load.isCredible()));
    TierSizing sizing =
        new TierSizing(
            SizeLadder.of(List.of(report.nodeSize()), 0, SizeLadder.NODES_MAX),
            ScalingPolicy.defaults());
    report.tell(
        sizing.decide(report.needs(Duration.ZERO), report.size(), SizeHistory.NONE, 0), json);
  }

  /// `GET /_holdfast/autoscaling/explain`.
  public Api explain() {
    return this::explain;
  }

  private Answer explain(ApiRequest request) throws InterruptedException {
    String leader = metadata.leaderId();
    Broadcast.Seen seen =
        nodes.ask(Json.object().put(EXPLAIN, true), request, member -> member.id().equals(leader));
    JsonNode explained = seen.nodes().get(leader);
    if (explained == null || !explained.has("tiers")) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "nothing is decided yet: "
              + seen.silent().getOrDefault(leader, "the leader has just begun to lead"));
    }
    ObjectNode answer = Json.object().put("leader", leader);
    answer.setAll((ObjectNode) explained);
    return Answer.of(200, answer);
  }
}
