package dev.holdfast.api.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.node.FixedState;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.routing.RemoteMembers;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Other nodes ask as soon as a call is there.
final class EarlyQuestionTest {
  /// Of a node that is asked each question when it registers the answer.
  private static final class AskedAtOnce implements Network {
    final List<String> answers = new ArrayList<>();

    @Override
    public void serve(String call, Handler handler) {
      if (call.endsWith("cost")) {
        try {
          Call<String, String> asked =
              new Call<>(call, WireValues.STRING, WireValues.STRING, Duration.ofSeconds(1));
          answers.add(asked.ask(caller(handler), "{\"account\":true}"));
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    private static Caller caller(Handler handler) {
      return (_, question, _) -> {
        try {
          return handler.answer(question);
        } catch (IOException | RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IOException(e);
        }
      };
    }

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aNodeThatIsStillBeingMadeTellsWhatItHasSpent() {
    World world = RealWorld.create();
    FixedState metadata = new FixedState(ClusterState.empty("cluster"));
    NodeIdentity self = new NodeIdentity("id", "name", "127.0.0.1", 9200, Set.of(Role.PROXY), 0);
    AskedAtOnce network = new AskedAtOnce();
    try (RemoteMembers peers = new RemoteMembers(world, network, metadata)) {
      CostApi _ =
          new CostApi(
              world,
              self,
              metadata,
              new StoreCounters(StorePrices.FREE),
              new MemoryStore(),
              new Broadcasts(world, self, metadata, network, peers));
    }
    world.tasks().close();

    assertThat(network.answers).singleElement().asString().contains("spent", "pace");
  }
}
