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
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
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
      }
      throw new UnreachableException("nobody listens", false, new ConnectException());
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
    others.addTo(answer, request(Map.of(parameter, names)), false);
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
}
