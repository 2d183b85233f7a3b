package dev.holdfast.benchmark;

import dev.holdfast.world.Network;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;

/// The network of a process that is its cluster's only one: nobody is there to be called.
final class NoNetwork implements Network {
  @Override
  public void serve(String call, Handler handler) {
    // nobody calls
  }

  @Override
  public byte[] call(String address, String call, byte[] request, Duration deadline)
      throws IOException {
    throw new UnreachableException(
        "there is no network [call=" + call + "]", false, new ConnectException(address));
  }
}
