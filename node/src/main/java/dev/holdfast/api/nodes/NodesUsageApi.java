package dev.holdfast.api.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.OwnedRequests;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/// `GET /_nodes/usage`: how often each action ran; `GET /_nodes/hot_threads`: what burns the cores;
/// `POST /_nodes/reload_secure_settings`: of all nodes, or of those that the path names.
public final class NodesUsageApi {
  private static final String ACTIONS = "rest_actions";
  private static final String AGGREGATIONS = "aggregations";
  private static final Set<String> METRICS = Set.of(ACTIONS, AGGREGATIONS);

  private final World world;
  private final String clusterName;
  private final ClusterMembers members;
  private final NodeIdentity self;
  private final RunningTasks tasks;
  private final OwnedRequests.OfEach usage;
  private final OwnedRequests.OfEach threads;
  private final OwnedRequests.OfEach reload;

  public NodesUsageApi(
      World world,
      String clusterName,
      ClusterMembers members,
      RunningTasks tasks,
      OwnedRequests owned) {
    this.world = world;
    this.clusterName = clusterName;
    this.members = members;
    this.self = members.self();
    this.tasks = tasks;
    this.usage = owned.ofEach("nodes-usage", this::usageHere);
    this.threads = owned.ofEach("hot-threads", this::hotThreadsHere);
    this.reload = owned.ofEach("reload-secure-settings", _ -> reloadedHere());
  }

  public Answer usage(ApiRequest request) throws InterruptedException {
    var _ = NodeSelector.of(request, members, METRICS); // refused before anybody is asked
    return together(usage.ask(request, Broadcast.timeout(request), isMeant(request, METRICS)));
  }

  public Answer reload(ApiRequest request) throws InterruptedException {
    JsonObject body = JsonObject.ofKinds("reload_secure_settings", request.body().object());
    String password = body.string("secure_settings_password");
    body.done();
    Answer answer =
        together(reload.ask(request, Broadcast.timeout(request), isMeant(request, Set.of())));
    return password == null
        ? answer
        : answer.warn("[secure_settings_password] has no effect: there is no keystore");
  }

  public Answer hotThreads(ApiRequest request) throws InterruptedException {
    Duration wait = Broadcast.timeout(request).plus(Wanted.of(request).interval);
    Broadcast.Seen seen = threads.ask(request, wait, isMeant(request, Set.of()));
    StringBuilder text = new StringBuilder();
    for (JsonNode told : seen.nodes().values()) {
      text.append(OwnedRequests.body(told));
    }
    seen.silent()
        .forEach((node, why) ->
            text.append("::: {").append(node).append("}\n   ").append(why).append('\n'));
    return Answer.text(200, text.toString());
  }

  private Predicate<Member> isMeant(ApiRequest request, Set<String> known) {
    return member -> NodeSelector.isChosen(request, members, known, NodeIdentity.of(member));
  }

  private Answer together(Broadcast.Seen seen) {
    int told = seen.nodes().size();
    int failed = seen.silent().size();
    ObjectNode answer = Json.object();
    answer
        .putObject("_nodes")
        .put("total", told + failed)
        .put("successful", told)
        .put("failed", failed);
    answer.put("cluster_name", clusterName);
    ObjectNode nodes = answer.putObject("nodes");
    for (JsonNode one : seen.nodes().values()) {
      nodes.setAll(Json.parseObject(OwnedRequests.body(one)).withObject("/nodes"));
    }
    return Answer.of(200, answer);
  }

  private Answer usageHere(ApiRequest request) {
    Set<String> metrics = NodeSelector.of(request, members, METRICS).metrics();
    ObjectNode node = Json.object();
    node.put("timestamp", world.clock().epochMillis()).put("since", self.startMillis());
    if (metrics.contains(ACTIONS)) {
      ObjectNode actions = node.putObject(ACTIONS);
      tasks.counts().forEach(actions::put);
    }
    if (metrics.contains(AGGREGATIONS)) {
      node.putObject(AGGREGATIONS);
    }
    return here(node);
  }

  private Answer reloadedHere() {
    return here(Json.object().put("name", self.name()));
  }

  private Answer here(ObjectNode node) {
    ObjectNode answer = Json.object();
    answer.putObject("nodes").set(self.id(), node);
    return Answer.of(200, answer);
  }

  private Answer hotThreadsHere(ApiRequest request) throws IOException, InterruptedException {
    Wanted wanted = Wanted.of(request);
    String busiest = new HotThreads(world).report(wanted.kind, wanted.shown, wanted.interval);
    return Answer.text(
        200,
        "::: {"
            + self.name()
            + "}{"
            + self.id()
            + "}\n   Hot threads at "
            + Instant.ofEpochMilli(world.clock().epochMillis())
            + ", interval="
            + TimeValue.text(wanted.interval.toMillis())
            + ", busiestThreads="
            + wanted.shown
            + ", ignoreIdleThreads=true:\n"
            + busiest);
  }

  /// Which threads a request wants to see.
  ///
  /// @param shown at most so many of a node
  private record Wanted(HotThreads.Kind kind, int shown, Duration interval) {
    private static final int THREADS_DEFAULT = 3;
    private static final int THREADS_MAX = 100;
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);

    static Wanted of(ApiRequest request) {
      String type = request.text("type", "cpu");
      if (!List.of("cpu", "wait", "block", "mem").contains(type)) {
        throw Refusal.badArgument("type not supported [" + type + "]");
      }
      int shown = Math.clamp(request.integer("threads", THREADS_DEFAULT), 1, THREADS_MAX);
      Duration interval = TimeValue.parse("interval", request.text("interval", "500ms"));
      interval = interval.compareTo(INTERVAL_MAX) > 0 ? INTERVAL_MAX : interval;
      HotThreads.Kind kind = HotThreads.Kind.valueOf(type.toUpperCase(Locale.ROOT));
      return new Wanted(kind, shown, interval);
    }
  }
}
