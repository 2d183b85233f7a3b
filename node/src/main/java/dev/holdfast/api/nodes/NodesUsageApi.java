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
import dev.holdfast.world.concurrent.Await;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// `GET /_nodes/usage`: how often each action ran; `GET /_nodes/hot_threads`: what burns the cores;
/// `POST /_nodes/reload_secure_settings`.
public final class NodesUsageApi {
  private static final int THREADS_DEFAULT = 3;
  private static final int THREADS_MAX = 100;
  private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);
  private static final int FRAMES_MAX = 20;

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

  public Answer hotThreads(ApiRequest request) throws InterruptedException {
    String type = request.text("type", "cpu");
    if (!List.of("cpu", "wait", "block", "mem").contains(type)) {
      throw Refusal.badArgument("type not supported [" + type + "]");
    }
    int shown = Math.clamp(request.integer("threads", THREADS_DEFAULT), 1, THREADS_MAX);
    Duration interval = TimeValue.parse("interval", request.text("interval", "500ms"));
    interval = interval.compareTo(INTERVAL_MAX) > 0 ? INTERVAL_MAX : interval;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> before = cpu(threads);
    Await.pause(world, interval);
    Map<Long, Long> after = cpu(threads);
    List<Map.Entry<Long, Long>> busiest = new ArrayList<>();
    after.forEach(
        (id, nanos) -> busiest.add(Map.entry(id, nanos - before.getOrDefault(id, nanos))));
    busiest.sort(Comparator.comparing((Map.Entry<Long, Long> e) -> e.getValue()).reversed());
    StringBuilder text = new StringBuilder();
    text.append("::: {")
        .append(self.name())
        .append("}{")
        .append(self.id())
        .append("}\n   Hot threads at ")
        .append(Instant.ofEpochMilli(world.clock().epochMillis()))
        .append(", interval=")
        .append(TimeValue.text(interval.toMillis()))
        .append(", busiestThreads=")
        .append(shown)
        .append(", ignoreIdleThreads=true:\n");
    for (Map.Entry<Long, Long> one : busiest.subList(0, Math.min(shown, busiest.size()))) {
      ThreadInfo info = threads.getThreadInfo(one.getKey(), FRAMES_MAX);
      if (info != null && one.getValue() > 0) {
        thread(text, info, one.getValue(), interval);
      }
    }
    return Answer.text(200, text.toString());
  }

  private static void thread(StringBuilder text, ThreadInfo info, long nanos, Duration interval) {
    double percent = 100.0 * nanos / Math.max(1, interval.toNanos());
    text.append(
        String.format(
            Locale.ROOT,
            "%n   %.1f%% [cpu=%.1f%%] (%s out of %s) cpu usage by thread '%s'%n",
            percent,
            percent,
            TimeValue.text(nanos / 1_000_000),
            TimeValue.text(interval.toMillis()),
            info.getThreadName()));
    for (StackTraceElement frame : info.getStackTrace()) {
      text.append("       ").append(frame).append('\n');
    }
  }

  private static Map<Long, Long> cpu(ThreadMXBean threads) {
    Map<Long, Long> cpu = new TreeMap<>();
    for (long id : threads.getAllThreadIds()) {
      long nanos = threads.getThreadCpuTime(id);
      if (nanos >= 0) {
        cpu.put(id, nanos);
      }
    }
    return cpu;
  }
}
