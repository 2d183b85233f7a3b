package dev.holdfast.chaos.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.Chaos;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PrivateNetworkTest {
  @Test
  void saysInOneLineWhatIsMissing() {
    assertThat(PrivateNetwork.missing(false, -1, _ -> true)).get().asString().contains("Linux");
    assertThat(PrivateNetwork.missing(true, 1000, _ -> true)).get().asString().contains("root");
    assertThat(PrivateNetwork.missing(true, 0, path -> !path.endsWith("tun")))
        .hasValue("--network needs /dev/net/tun");
    assertThat(PrivateNetwork.missing(true, 0, path -> !path.endsWith("unshare")))
        .get()
        .asString()
        .contains("unshare");
    assertThat(PrivateNetwork.missing(true, 0, _ -> true)).isEmpty();
  }

  @Test
  void disruptionsOfTheNetworkNeedOne() {
    int code = new CommandLine(new Chaos()).execute("cluster", "--disruptions", "KILL,ISOLATE");

    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
  }
}
