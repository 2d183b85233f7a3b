package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.node.FixedState;
import dev.holdfast.routing.NamedNetwork;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A wait for the tasks of a node which take longer than a call between nodes may.
@Timeout(20)
final class LateNodesTasksTest {
  private static final Member HERE = member("here");
  private static final Member THERE = member("there");

  private final World world = RealWorld.create();
  private final Metadata metadata =
      new FixedState(ClusterState.empty("cluster").withMember(HERE).withMember(THERE));
  private final MemoryNetwork network = new MemoryNetwork(world);
  private final Network wire = new NamedNetwork(network.at(HERE.address()), HERE.id());
  private final RemoteMembers peers = new RemoteMembers(world, wire, metadata);
  private final Broadcasts calls =
      new Broadcasts(world, NodeIdentity.of(HERE), metadata, wire, peers);
  private final List<String> waits = new CopyOnWriteArrayList<>();
  private volatile int lateTimes;

  private static Member member(String name) {
    return new Member(
        name + "-id", name, name + ":1", new TreeSet<>(), 1, 0, false, Build.here("t"));
  }

  @BeforeEach
  void serveThere() {
    Network there = new NamedNetwork(network.at(THERE.address()), THERE.id());
    var _ =
        new Broadcasts(world, NodeIdentity.of(THERE), metadata, there, peers)
            .call("tasks", this::answerThere);
  }

  @AfterEach
  void close() {
    peers.close();
    world.tasks().close();
  }

  private ObjectNode answerThere(ObjectNode question) {
    waits.add(question.at("/parameters/timeout").asText());
    ObjectNode answer = Json.object();
    answer.putObject("nodes");
    if (waits.size() <= lateTimes) {
      NodeFailures.add(answer, THERE.id(), new Refusal(ErrorType.TIMEOUT, "late"));
    }
    return answer;
  }

  private ObjectNode list(String timeout) throws InterruptedException {
    ApiRequest request =
        new ApiRequest(
            Verb.GET,
            "/_tasks",
            Map.of(),
            Map.of("wait_for_completion", "true", "timeout", timeout),
            HeaderValues.NONE,
            RequestBody.EMPTY,
            null,
            () -> false);
    OtherNodesTasks others = new OtherNodesTasks(calls, _ -> Json.object(), _ -> Json.object());
    ObjectNode answer = Json.object();
    OtherNodesTasks.add(answer, others.ask(request, false));
    return answer;
  }

  @Test
  void isMadeOfSeveralCalls() throws Exception {
    lateTimes = 2;

    ObjectNode answer = list("70s");

    assertThat(waits).containsExactly("30000ms", "30000ms", "10000ms");
    assertThat(answer.path("node_failures")).isEmpty();
  }

  @Test
  void endsWithTheTimeThatTheClientHas() throws Exception {
    lateTimes = Integer.MAX_VALUE;

    JsonNode failures = list("40s").path("node_failures");

    assertThat(waits).containsExactly("30000ms", "10000ms");
    assertThat(failures.findValuesAsText("node_id")).containsExactly("there-id");
    assertThat(failures.at("/0/caused_by/type").asText()).isEqualTo("timeout_exception");
  }
}
