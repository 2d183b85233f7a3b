package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.linecorp.armeria.common.HttpResponse;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A node serves at the one address it is told to, which need not be a loopback.
class ServedAddressTest {
  @Test
  void addressOfTheMachine() throws Exception {
    Optional<InetAddress> address =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
            .findFirst();
    assumeTrue(address.isPresent(), "this machine has a loopback only");
    World world = World.real();
    String host = address.get().getHostAddress();

    try (HttpServer server =
        HttpServer.start(
            host,
            0,
            new HttpLimits(ByteSize.mib(1), 100),
            (_, _) -> HttpResponse.of(404),
            new RequestBytes(1 << 20),
            new HttpCounters(),
            world)) {
      assertThat(server.port()).isPositive();
      try (Socket client = new Socket(address.get(), server.port())) {
        assertThat(client.isConnected()).isTrue();
      }
    } finally {
      world.tasks().close();
    }
  }
}
