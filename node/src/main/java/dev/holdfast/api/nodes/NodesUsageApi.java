package dev.holdfast.api.nodes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// `GET /_nodes/usage`: how often each action ran; `GET /_nodes/hot_threads`: what burns the cores;
/// `POST /_nodes/reload_secure_settings`.
public final class NodesUsageApi {
  private static final int THREADS_DEFAULT = 3;
  private static final int THREADS_MAX = 100;
  private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);

  private static final String ACTIONS = "rest_actions";
  private static final String AGGREGATIONS = "aggregations";
  private static final Set<String> METRICS = Set.of(ACTIONS, AGGREGATIONS);

  private final World world;
  private final String clusterName;
  private final ClusterMembers members;
  private final NodeIdentity self;
  private final RunningTasks tasks;

  public NodesUsageApi(
      World world, String clusterName, ClusterMembers members, RunningTasks tasks) {
    this.world = world;
    this.clusterName = clusterName;
    this.members = members;
    this.self = members.self();
    this.tasks = tasks;
  }

  public Answer usage(ApiRequest request) {
    NodeSelector choice = NodeSelector.of(request, members, METRICS);
    ObjectNode answer = head(choice);
    ObjectNode nodes = answer.putObject("nodes");
    if (choice.isThisNode()) {
      ObjectNode node = nodes.putObject(self.id());
      node.put("timestamp", world.clock().epochMillis()).put("since", self.startMillis());
      if (choice.metrics().contains(ACTIONS)) {
        ObjectNode actions = node.putObject(ACTIONS);
        tasks.counts().forEach(actions::put);
      }
      if (choice.metrics().contains(AGGREGATIONS)) {
        node.putObject(AGGREGATIONS);
      }
    }
    return Answer.of(200, answer);
  }

  public Answer reload(ApiRequest request) {
    NodeSelector choice = NodeSelector.of(request, members, Set.of());
    ObjectNode answer = head(choice);
    ObjectNode nodes = answer.putObject("nodes");
    if (choice.isThisNode()) {
      nodes.putObject(self.id()).put("name", self.name());
    }
    return Answer.of(200, answer);
  }

  private ObjectNode head(NodeSelector choice) {
    int chosen = choice.isThisNode() ? 1 : 0;
    ObjectNode answer = Json.object();
    answer.putObject("_nodes").put("total", chosen).put("successful", chosen).put("failed", 0);
    return answer.put("cluster_name", clusterName);
  }

  public Answer hotThreads(ApiRequest request) throws IOException, InterruptedException {
    if (!NodeSelector.of(request, members, Set.of()).isThisNode()) {
      return Answer.text(200, "");
    }
    String type = request.text("type", "cpu");
    if (!List.of("cpu", "wait", "block", "mem").contains(type)) {
      throw Refusal.badArgument("type not supported [" + type + "]");
    }
    int shown = Math.clamp(request.integer("threads", THREADS_DEFAULT), 1, THREADS_MAX);
    Duration interval = TimeValue.parse("interval", request.text("interval", "500ms"));
    interval = interval.compareTo(INTERVAL_MAX) > 0 ? INTERVAL_MAX : interval;
    HotThreads.Kind kind = HotThreads.Kind.valueOf(type.toUpperCase(Locale.ROOT));
    String busiest = new HotThreads(world).report(kind, shown, interval);
    return Answer.text(
        200,
        "::: {"
            + self.name()
            + "}{"
            + self.id()
            + "}\n   Hot threads at "
            + Instant.ofEpochMilli(world.clock().epochMillis())
            + ", interval="
            + TimeValue.text(interval.toMillis())
            + ", busiestThreads="
            + shown
            + ", ignoreIdleThreads=true:\n"
            + busiest);
  }
}
