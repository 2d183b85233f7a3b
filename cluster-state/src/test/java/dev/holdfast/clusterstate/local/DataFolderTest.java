package dev.holdfast.clusterstate.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

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

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "\u0000\u0001"})
  void aMemoryThatIsDamagedIsNone(String damage) throws Exception {
    Files.writeString(folder.resolve("node.id"), damage);
    Files.write(folder.resolve("node.cluster"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    try (DataFolder data = DataFolder.lock(folder, new MachineId("boot", ""))) {
      assertThat(data.previousNode()).isEmpty();
      data.requireNoCluster("file:/store");
    }
  }

  @Test
  void bytesThatAreNoTextAreNoMemory() throws Exception {
    Files.write(folder.resolve("node.id"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    assertThat(previous(new MachineId("boot", ""))).isEmpty();
    used(new MachineId("boot", ""), "n1");
    assertThat(previous(new MachineId("boot", ""))).isEqualTo("n1");
  }

  @Test
  void saysWhyAFolderCannotBeUsed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> DataFolder.lock(file, MachineId.current()))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the data folder is not writable [folder="
                + file
                + ", reason="
                + file
                + " is no folder]");
  }

  @Test
  void aFolderInTheWayIsNamed() throws Exception {
    Files.createDirectory(folder.resolve("node.id"));

    assertThatThrownBy(() -> used(new MachineId("boot", ""), "n1"))
        .hasMessageContaining("remove it [folder=" + folder.resolve("node.id") + "]");
  }

  @Test
  void aStoreThatMayBeUnmountedIsNotTakenForAnEmptyOne() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      data.requireNoCluster("file:/mnt/a");
      data.rememberCluster("file:/mnt/a", "uuid-1", 1);
      data.rememberCluster("memory:", "uuid-2", 1);
    }
    try (DataFolder data = DataFolder.lock(folder)) {
      data.requireNoCluster("file:/mnt/b");
      data.requireNoCluster("memory:");
      data.requireNoCluster("s3://bucket");
      assertThatThrownBy(() -> data.requireNoCluster("file:/mnt/a"))
          .hasMessageContaining("knows a cluster there [uuid=uuid-1]: is it mounted?")
          .hasMessageContaining("remove [" + folder.resolve("node.cluster") + "]");
    }
  }

  /// A store's name with a typing error is a new store.
  @Test
  void anotherClusterThanBeforeIsToldOf() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(DataFolder.class);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    log.addAppender(told);
    log.setLevel(Level.WARN);
    try (DataFolder data = DataFolder.lock(folder)) {
      data.rememberCluster("s3://bucket/main", "uuid-1", 1);
      data.rememberCluster("s3://bucket/moved", "uuid-1", 1);
      data.requireNoCluster("s3://bucket/moved"); // whoever empties a bucket may begin anew
      assertThat(told.list).isEmpty();

      data.rememberCluster("s3://bucket/mian", "uuid-2", 1);

      assertThat(told.list)
          .singleElement()
          .satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                .contains("s3://bucket/moved", "uuid-1", "s3://bucket/mian", "uuid-2");
          });
    } finally {
      log.detachAppender(told);
      log.setLevel(null);
    }
  }

  @Test
  void aStoreThatWasSetBackIsToldFromOneThatWentOn() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      data.rememberCluster("s3://bucket", "uuid-1", 7);
      data.rememberCluster("s3://bucket", "uuid-1", 7);
      data.rememberCluster("s3://moved", "uuid-1", 9);
      assertThat(data.isAhead()).isFalse();
    }
    try (DataFolder data = DataFolder.lock(folder)) {
      data.rememberCluster("s3://moved", "uuid-1", 8);
      assertThat(data.isAhead()).isTrue();
      data.rememberCluster("s3://moved", "uuid-1", 10);
      assertThat(data.isAhead()).as("it was so when it joined").isTrue();
    }
    try (DataFolder data = DataFolder.lock(folder)) {
      data.rememberCluster("s3://moved", "uuid-2", 1);
      assertThat(data.isAhead()).as("of another cluster no object has the same name").isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket\nuuid-1\n", "s3://bucket\nuuid-1\nx\n"})
  void whereNoVersionWasWrittenNothingIsKnownToBeOlder(String written) throws Exception {
    Files.writeString(folder.resolve("node.cluster"), written);

    try (DataFolder data = DataFolder.lock(folder)) {
      data.rememberCluster("s3://bucket", "uuid-1", 1);

      assertThat(data.isAhead()).isFalse();
    }
  }

  /// As on a full disk, which takes a name and none of its bytes.
  @Test
  void whatIsKnownStaysWhenSomethingNewerCannotBeWritten() throws Exception {
    try (DataFolder data = DataFolder.lock(folder)) {
      data.rememberCluster("file:/mnt/store", "uuid-1", 1);
      Files.createDirectory(folder.resolve("node.cluster.next"));

      assertThatThrownBy(() -> data.rememberCluster("file:/mnt/store", "uuid-2", 1))
          .isInstanceOf(IOException.class);
      data.rememberCluster("file:/mnt/store", "uuid-1", 1); // it is written already

      assertThatThrownBy(() -> data.requireNoCluster("file:/mnt/store"))
          .hasMessageContaining("uuid=uuid-1");
    }
  }

  @Test
  void thisMachineIsTheSameAsLongAsItRuns() {
    assertThat(MachineId.current().wasHere(MachineId.read(MachineId.current().lines()))).isTrue();
  }
}
