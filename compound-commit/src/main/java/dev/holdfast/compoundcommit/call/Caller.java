package dev.holdfast.compoundcommit.call;

import java.io.IOException;
import java.time.Duration;

/// One other node, to be called.
@FunctionalInterface
public interface Caller {
  /// @throws dev.holdfast.world.Network.UnreachableException when no answer came
  /// @throws dev.holdfast.world.Refusal as the node threw it
  byte[] call(String name, byte[] request, Duration deadline)
      throws IOException, InterruptedException;
}
