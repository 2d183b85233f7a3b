package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.node.FixedState;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Sleeper;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tasks of a cluster whose other node does not answer.
@Timeout(20)
final class SilentNodesTasksTest {
  private final World world = RealWorld.create();
  private final Metadata metadata =
      new FixedState(
          ClusterState.empty("cluster").withMember(member("here")).withMember(member("there")));
  private final NodeIdentity self = NodeIdentity.of(member("here"));
  private final RunningTasks running = new RunningTasks(world, self, TierUse.ofNode(world.clock()));
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Network network = new Silence();
  private final RemoteMembers peers = new RemoteMembers(world, network, metadata);
  private final Broadcasts calls = new Broadcasts(world, self, metadata, network, peers);

  /// Nobody listens there.
  private final class Silence implements Network {
    @Override
    public void serve(String call, Handler handler) {}

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline)
        throws UnreachableException {
      if (call.endsWith("tasks")) {
        asked.add(address);
        running.all().stream().filter(RunningTask::isCancelled).forEach(running::end);
      }
      throw new UnreachableException("nobody listens", false, new ConnectException());
    }
  }

  /// Time that only waits make pass, and in no time.
  private static final class SkippedTime implements Clock, Sleeper {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public long epochMillis() {
      return nanos.get() / 1_000_000;
    }

    @Override
    public void sleep(Duration duration) {
      nanos.addAndGet(duration.toNanos());
    }

    @Override
    public <T> T get(CompletableFuture<T> future, Duration max)
        throws ExecutionException, InterruptedException, TimeoutException {
      if (!future.isDone()) {
        sleep(max);
        throw new TimeoutException();
      }
      return future.get();
    }
  }

  private static Member member(String name) {
    return new Member(
        name + "-id", name, name + ":1", new TreeSet<>(), 1, 0, false, Build.here("t"));
  }

  private static ApiRequest request(Map<String, String> parameters) {
    return new ApiRequest(
        Verb.GET,
        "/_tasks",
        Map.of(),
        parameters,
        HeaderValues.NONE,
        RequestBody.EMPTY,
        null,
        () -> false);
  }

  @AfterEach
  void close() {
    peers.close();
  }

  private JsonNode failures(String parameter, String names) throws Exception {
    OtherNodesTasks others = new OtherNodesTasks(calls, _ -> Json.object(), _ -> Json.object());
    ObjectNode answer = Json.object();
    OtherNodesTasks.add(answer, others.ask(request(Map.of(parameter, names)), false));
    return answer.path("node_failures");
  }

  @Test
  void nodesThatAreLeftOutAreNotAsked() throws Exception {
    for (String parameter : List.of("nodes", "node_id")) {
      for (String names : List.of("_local", "here", "here-id", "nobody")) {
        assertThat(failures(parameter, names)).as(names).isEmpty();
      }
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void nodesThatAreMeantAreNamedWhenTheyDoNotAnswer() throws Exception {
    for (String names : List.of("_all", "there", "there-id", "_local,th*", "")) {
      assertThat(failures("nodes", names).findValuesAsText("node_id"))
          .as(names)
          .containsExactly("there-id");
    }
    assertThat(asked).hasSize(5);
  }

  @Test
  @SuppressWarnings("NullAway") // no results are asked for
  void othersHearOfTheEndBeforeTheTasksHereHaveEnded() throws Exception {
    TaskResults none = new TaskResults(metadata, null, null, null);
    TasksApi tasks = new TasksApi(self, List.of(), running, none, calls);
    for (int i = 0; i < 3; i++) {
      var _ = running.begin("a", "", null, true);
    }

    ApiRequest request = request(Map.of("actions", "a", "wait_for_completion", "true"));
    Answer answer = tasks.cancel().handle(request);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(asked).hasSize(1);
    assertThat(running.all()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // no results are asked for
  void nothingIsEndedByARequestThatIsRefused() {
    TaskResults none = new TaskResults(metadata, null, null, null);
    TasksApi tasks = new TasksApi(self, List.of(), running, none, calls);
    RunningTask task = running.begin("a", "", null, true);

    assertThatThrownBy(
            () -> tasks.cancel().handle(request(Map.of("actions", "a", "group_by", "x"))))
        .isInstanceOf(Refusal.class);

    assertThat(task.isCancelled()).isFalse();
    assertThat(asked).isEmpty();
  }

  /// Three tasks without an end, in a time that waits alone pass.
  @SuppressWarnings("NullAway") // no results are asked for
  private TasksApi endless(SkippedTime time) {
    World skipping =
        new World(time, time, world.ids(), world.chance(), world.tasks(), world.memory());
    RunningTasks endless = new RunningTasks(skipping, self, TierUse.ofNode(world.clock()));
    for (int i = 0; i < 3; i++) {
      var _ = endless.begin("a", "", null, true);
    }
    TaskResults none = new TaskResults(metadata, null, null, null);
    Broadcasts fromHere = new Broadcasts(skipping, self, metadata, network, peers);
    return new TasksApi(self, List.of(), endless, none, fromHere);
  }

  @Test
  void tasksThatDoNotEndAreWaitedForTogether() throws Exception {
    SkippedTime time = new SkippedTime();

    Map<String, String> parameters =
        Map.of("actions", "a", "nodes", "_local", "wait_for_completion", "true");
    Answer answer = endless(time).cancel().handle(request(parameters));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(Duration.ofNanos(time.nanoTime())).isEqualTo(Duration.ofSeconds(30));
  }

  private static JsonNode told(Answer answer) throws Exception {
    TokenBuffer out = new TokenBuffer(Json.MAPPER, false);
    ((Answer.Content.Structured) answer.content()).writer().write(out);
    return Json.MAPPER.readTree(out.asParser());
  }

  @Test
  void aListThatWaitsInVainNamesThisNodeAsAnyOther() throws Exception {
    SkippedTime time = new SkippedTime();

    Map<String, String> parameters =
        Map.of("nodes", "_local", "wait_for_completion", "true", "timeout", "10s");
    Answer answer = endless(time).list().handle(request(parameters));

    JsonNode told = told(answer);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(told.path("nodes")).isEmpty();
    assertThat(told.at("/node_failures/0/node_id").asText()).isEqualTo("here-id");
    assertThat(told.at("/node_failures/0/caused_by/type").asText()).isEqualTo("timeout_exception");
    assertThat(Duration.ofNanos(time.nanoTime())).isEqualTo(Duration.ofSeconds(10));
  }
}
