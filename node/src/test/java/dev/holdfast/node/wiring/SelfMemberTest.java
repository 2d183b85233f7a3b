package dev.holdfast.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where the others find a node that serves on all addresses of its machine.
final class SelfMemberTest {
  @ParameterizedTest
  @CsvSource({
    // the name says it
    "10.0.0.4,    127.0.0.1 10.0.0.4 10.1.0.4,  10.0.0.4",
    "127.0.1.1,   127.0.0.1 10.0.0.4 10.1.0.4,  10.0.0.4",
    "127.0.0.1,   ::1 fe80::1 fd00::4 10.0.0.4, 10.0.0.4",
    "127.0.0.1,   ::1 fe80::1 fd00::4,          fd00:0:0:0:0:0:0:4",
    // alone
    "127.0.1.1,   127.0.0.1 ::1 fe80::1,        127.0.1.1",
  })
  void tellsAnAddressThatOthersReach(String named, String all, String published)
      throws UnknownHostException {
    List<InetAddress> addresses = new ArrayList<>();
    for (String address : all.split(" ")) {
      addresses.add(InetAddress.getByName(address));
    }
    assertThat(SelfMember.published(InetAddress.getByName(named), addresses).getHostAddress())
        .isEqualTo(published);
  }
}
