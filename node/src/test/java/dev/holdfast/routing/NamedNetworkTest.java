package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A process that took over the address of a dead one does not do what the dead one was asked.
class NamedNetworkTest {
  /// One address, and whoever lives there.
  private static final class OneAddress implements Network {
    final Map<String, Handler> handlers = new HashMap<>();

    @Override
    public void serve(String call, Handler handler) {
      handlers.put(call, handler);
    }

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline) {
      try {
        return handlers.get(call).answer(request);
      } catch (Refusal e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final OneAddress address = new OneAddress();
  private final List<String> done = new ArrayList<>();
  private final NamedNetwork network = new NamedNetwork(address, "successor");

  NamedNetworkTest() {
    network.serve(
        "write",
        request -> {
          done.add(new String(request, StandardCharsets.UTF_8));
          return request;
        });
  }

  private byte[] call(String name) throws Exception {
    byte[] request = "a document".getBytes(StandardCharsets.UTF_8);
    return network.call("a:1", "write", NamedNetwork.named(name, request), Duration.ofSeconds(1));
  }

  @Test
  void theNodeThatIsMeantAnswers() throws Exception {
    byte[] answer = call("successor");

    assertThat(answer).asString(StandardCharsets.UTF_8).isEqualTo("a document");
    assertThat(done).containsExactly("a document");
  }

  @Test
  void anotherNodeDoesNothing() {
    assertThatThrownBy(() -> call("predecessor"))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(NamedNetwork.isOther(refusal)).isTrue());
    assertThat(done).isEmpty();
  }
}
