package dev.holdfast.clusterstate.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataFolderTest {
  @TempDir Path folder;

  private String previous(MachineId machine) throws Exception {
    try (DataFolder data = DataFolder.lock(folder, machine)) {
      return data.previousNode();
    }
  }

  private void used(MachineId machine, String node) throws Exception {
    try (DataFolder data = DataFolder.lock(folder, machine)) {
      data.remember(node);
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "boot-1, metal-1, boot-1, metal-1, n0", // started again
        "boot-1, metal-1, boot-2, metal-1, n0", // the machine was started again
        "boot-1, '',      boot-1, '',      n0",
        "boot-1, metal-1, boot-2, metal-2, ''", // the disk was copied
        "boot-1, '',      boot-2, '',      ''", // started again, or copied: nobody can tell
        "'',     '',      '',     '',      n0",
        "'',     '',      boot-1, metal-1, ''",
      })
  void onlyAProcessOfThisMachineIsKnownToBeDead(
      String boot, String hardware, String bootNow, String hardwareNow, String dead)
      throws Exception {
    used(new MachineId(boot, hardware), "n0");

    assertThat(previous(new MachineId(bootNow, hardwareNow))).isEqualTo(dead);
  }

  @Test
  void aFolderOfAnEarlierVersionDoesNotSayWhereItsProcessRan() throws Exception {
    assertThat(previous(new MachineId("boot", ""))).isEmpty();
    Files.writeString(folder.resolve("node.id"), "n0");

    assertThat(previous(new MachineId("boot", ""))).isEmpty();
  }

  @Test
  void thisMachineIsTheSameAsLongAsItRuns() {
    assertThat(MachineId.current().wasHere(MachineId.read(MachineId.current().lines()))).isTrue();
  }
}
