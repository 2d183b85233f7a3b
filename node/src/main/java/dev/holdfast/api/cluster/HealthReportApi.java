package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.DiskIndicator;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.api.cluster.health.RepositoryIntegrity;
import dev.holdfast.api.cluster.health.ShardsIndicator;
import dev.holdfast.api.cluster.health.StoreIndicator;
import dev.holdfast.api.slm.PolicyHealth;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /_health_report`, `/_health_report/{feature}`: what is well and what is not, in sentences.
public final class HealthReportApi implements Api {
  private static final List<String> FEATURES =
      List.of(
          "master_is_stable",
          ShardsIndicator.NAME,
          StoreIndicator.NAME,
          DiskIndicator.NAME,
          RepositoryIntegrity.NAME,
          PolicyHealth.NAME);

  private final Clock clock;
  private final String clusterName;
  private final NodeIdentity self;
  private final Metadata metadata;
  private final HealthReader shardHealth;
  private final NodeTroubles store;

  public HealthReportApi(
      Clock clock,
      String clusterName,
      NodeIdentity self,
      Metadata metadata,
      HealthReader shardHealth,
      NodeTroubles store) {
    this.clock = clock;
    this.clusterName = clusterName;
    this.self = self;
    this.metadata = metadata;
    this.shardHealth = shardHealth;
    this.store = store;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    if (request.integer("size", 0) < 0) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: The size parameter must be a positive integer;");
    }
    String wanted = request.text("feature");
    if (wanted != null && !FEATURES.contains(wanted)) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "Did not find indicator [" + wanted + "]");
    }
    NodeTroubles.Troubles found = store.now();
    ClusterHealth health = shardHealth.of("", ClusterHealth.EVERYTHING).with(found);
    ObjectNode answer = Json.object();
    if (wanted == null) {
      ClusterHealth.Status worst = health.status();
      boolean isRed = worst == ClusterHealth.Status.RED || !found.fullDisks().isEmpty();
      boolean isGreen =
          worst == ClusterHealth.Status.GREEN
              && found.damagedPins().isEmpty()
              && StoreIndicator.isGreen(found)
              && PolicyHealth.isGreen(metadata.current(), clock.epochMillis());
      answer.put("status", isRed ? "red" : isGreen ? "green" : "yellow");
    }
    answer.put("cluster_name", clusterName);
    ObjectNode indicators = answer.putObject("indicators");
    if (wanted == null || wanted.equals("master_is_stable")) {
      leader(indicators.putObject("master_is_stable"));
    }
    if (wanted == null || wanted.equals(ShardsIndicator.NAME)) {
      ShardsIndicator.write(indicators.putObject(ShardsIndicator.NAME), metadata.current(), health);
    }
    if (wanted == null || wanted.equals(StoreIndicator.NAME)) {
      StoreIndicator.write(indicators.putObject(StoreIndicator.NAME), found);
    }
    if (wanted == null || wanted.equals(DiskIndicator.NAME)) {
      int nodes = metadata.current().members().size();
      DiskIndicator.write(indicators.putObject(DiskIndicator.NAME), found.fullDisks(), nodes);
    }
    if (wanted == null || wanted.equals(RepositoryIntegrity.NAME)) {
      RepositoryIntegrity.write(
          indicators.putObject(RepositoryIntegrity.NAME), metadata.current(), found.damagedPins());
    }
    if (wanted == null || wanted.equals(PolicyHealth.NAME)) {
      PolicyHealth.write(
          indicators.putObject(PolicyHealth.NAME), metadata.current(), clock.epochMillis());
    }
    return Answer.of(200, answer);
  }

  /// The leader as this node knows it.
  private void leader(ObjectNode indicator) {
    Member leader = metadata.current().members().get(metadata.leaderId());
    indicator.put("status", "green").put("symptom", "The cluster has a stable master node");
    ObjectNode details = indicator.putObject("details");
    ObjectNode[] shown = {
      details.putObject("current_master"), details.putArray("recent_masters").addObject()
    };
    for (ObjectNode one : shown) {
      one.put("node_id", leader == null ? self.id() : leader.id())
          .put("name", leader == null ? self.name() : leader.name());
    }
  }
}
