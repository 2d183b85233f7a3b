package dev.holdfast.api.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.node.FixedState;
import dev.holdfast.routing.NamedNetwork;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Json;
import dev.holdfast.world.MemoryNetwork;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whoever answers for what it alone holds asks its own budget for the memory of the answer.
final class OwnedRequestsTest {
  private static final Member HERE = member("here");
  private static final Member THERE = member("there");
  private static final ApiRequest REQUEST =
      new ApiRequest(
          Verb.GET,
          "/_async_search/x",
          Map.of(),
          Map.of(),
          HeaderValues.NONE,
          RequestBody.EMPTY,
          null,
          () -> false);

  private final World world = RealWorld.create();
  private final CircuitBreaker memory = new CircuitBreaker("request", 1 << 20);
  private final Metadata metadata =
      new FixedState(ClusterState.empty("cluster").withMember(HERE).withMember(THERE));
  private final MemoryNetwork network = new MemoryNetwork(world);
  private final Network wire = new NamedNetwork(network.at(HERE.address()), HERE.id());
  private final RemoteMembers peers = new RemoteMembers(world, wire, metadata);

  private static Member member(String name) {
    return new Member(
        name + "-id", name, name + ":1", new TreeSet<>(), 1, 0, false, Build.here("t"));
  }

  @AfterEach
  void close() {
    peers.close();
    world.tasks().close();
  }

  /// What the other node answers, as the client of this one gets it.
  private Answer asked(Answer answerThere) throws Exception {
    Breakers unlimited = Breakers.unlimited();
    World there =
        new World(
            world.clock(),
            world.sleeper(),
            world.ids(),
            world.chance(),
            world.tasks(),
            new Breakers(unlimited.heap(), memory, unlimited.fieldData()));
    Network wireThere = new NamedNetwork(network.at(THERE.address()), THERE.id());
    OwnedRequests owner =
        new OwnedRequests(
            new Broadcasts(there, NodeIdentity.of(THERE), metadata, wireThere, peers));
    Api _ = owner.about("kept", _ -> answerThere, _ -> null);
    OwnedRequests asking =
        new OwnedRequests(new Broadcasts(world, NodeIdentity.of(HERE), metadata, wire, peers));
    return asking.about("kept", _ -> Answer.text(500, "not here"), _ -> THERE.id()).handle(REQUEST);
  }

  @Test
  void anAnswerThatFitsIsHandedOn() throws Exception {
    Answer answer = asked(Answer.of(203, Json.object().put("a", "x".repeat(200_000))));

    assertThat(answer.status()).isEqualTo(203);
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void oneThatDoesNotIsRefusedByTheNodeThatHoldsIt() {
    Answer large = Answer.of(200, Json.object().put("a", "x".repeat(4 << 20)));

    assertThatThrownBy(() -> asked(large))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type().status()).isEqualTo(429))
        .hasMessageContaining("<owner_request>");
    assertThat(memory.tripped()).isPositive();
    assertThat(memory.bytes()).isZero();
  }
}
