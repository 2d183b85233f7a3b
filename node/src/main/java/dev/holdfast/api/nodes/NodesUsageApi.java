package dev.holdfast.api.nodes;

import com.fasterxml.jackson.databind.node.ObjectNode;
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

/// `GET /_nodes/usage`: how often each action ran; `GET /_nodes/hot_threads`: what burns the cores;
/// `POST /_nodes/reload_secure_settings`.
public final class NodesUsageApi {
  private static final int THREADS_DEFAULT = 3;
  private static final int THREADS_MAX = 100;
  private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);

  private final World world;
  private final String clusterName;
  private final NodeIdentity self;
  private final RunningTasks tasks;

  public NodesUsageApi(World world, String clusterName, NodeIdentity self, RunningTasks tasks) {
    this.world = world;
    this.clusterName = clusterName;
    this.self = self;
    this.tasks = tasks;
  }

  public Answer usage(ApiRequest request) {
    ObjectNode answer = head();
    ObjectNode node = answer.putObject("nodes").putObject(self.id());
    node.put("timestamp", world.clock().epochMillis()).put("since", self.startMillis());
    ObjectNode actions = node.putObject("rest_actions");
    tasks.counts().forEach(actions::put);
    node.putObject("aggregations");
    return Answer.of(200, answer);
  }

  public Answer reload(ApiRequest request) {
    ObjectNode answer = head();
    answer.putObject("nodes").putObject(self.id()).put("name", self.name());
    return Answer.of(200, answer);
  }

  private ObjectNode head() {
    ObjectNode answer = Json.object();
    answer.putObject("_nodes").put("total", 1).put("successful", 1).put("failed", 0);
    return answer.put("cluster_name", clusterName);
  }

  public Answer hotThreads(ApiRequest request) throws IOException, InterruptedException {
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
