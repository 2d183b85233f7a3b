package dev.holdfast.routing;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/// Calls to this node that name whom they are meant for: another process may live at an address by
/// now, and a write that was meant for the dead one and is done by its successor would come after
/// its own repetition.
public final class NamedNetwork implements Network {
  private static final String MEANT_FOR = "meant_for";

  private final Network network;
  private final String self;

  /// @param self this node's ephemeral id
  public NamedNetwork(Network network, String self) {
    this.network = network;
    this.self = self;
  }

  @Override
  public void serve(String call, Handler handler) {
    network.serve(
        call,
        named -> {
          int nameBytes = named.length == 0 ? 0 : named[0] & 0xff;
          if (named.length < 1 + nameBytes) {
            throw new IOException("a call is cut off [call=" + call + "]");
          }
          String name = new String(named, 1, nameBytes, StandardCharsets.UTF_8);
          if (!name.equals(self)) {
            throw new Refusal(ErrorType.NODE_CLOSED, "another node lives at this address")
                .with(MEANT_FOR, name);
          }
          return handler.answer(Arrays.copyOfRange(named, 1 + nameBytes, named.length));
        });
  }

  @Override
  public byte[] call(String address, String call, byte[] request, Duration deadline)
      throws IOException, InterruptedException {
    return network.call(address, call, request, deadline);
  }

  /// A request for the node of that name alone.
  static byte[] named(String id, byte[] request) {
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    byte[] named = new byte[1 + name.length + request.length];
    named[0] = (byte) name.length;
    System.arraycopy(name, 0, named, 1, name.length);
    System.arraycopy(request, 0, named, 1 + name.length, request.length);
    return named;
  }

  /// Whether the call found another node: nothing was done.
  static boolean isOther(Refusal refusal) {
    return refusal.type() == ErrorType.NODE_CLOSED && refusal.metadata().containsKey(MEANT_FOR);
  }
}
