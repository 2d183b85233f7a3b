package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFilesTest {
  @TempDir Path folder;

  private OptionalLong limit(String line) throws Exception {
    return OpenFiles.limit(
        Files.writeString(
            folder.resolve("limits"),
            "Limit                     Soft Limit           Hard Limit           Units\n"
                + "Max resident set          unlimited            unlimited            bytes\n"
                + line
                + "\nMax locked memory         8388608              8388608              bytes\n"));
  }

  @Test
  void theLimitIsTheSoftOne() throws Exception {
    assertThat(limit("Max open files            256                  4096                 files"))
        .hasValue(256);
    assertThat(limit("Max open files            unlimited            unlimited            files"))
        .isEmpty();
    assertThat(limit("")).isEmpty();
    assertThat(OpenFiles.limit(folder.resolve("none"))).isEmpty();
  }

  /// It would start, and not find classes when it has opened that many.
  @Test
  void aNodeThatMayOpenHopelesslyFewFilesDoesNotStart() throws Exception {
    assertThatThrownBy(() -> OpenFiles.require(OptionalLong.of(256)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("256")
        .hasMessageContaining("ulimit -n");
    OpenFiles.require(OptionalLong.of(1_024));
    OpenFiles.require(OptionalLong.empty());
  }
}
