package dev.holdfast.blobcache.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {
  private static final Path MAPS = Path.of("/proc/self/maps");

  @TempDir Path temporary;

  /// A process that has as many mappings as the kernel allows ends at the next one.
  @Test
  void smallFilesOfManyShardsAreNotMapped() throws IOException {
    assumeThat(Files.isReadable(MAPS)).isTrue();
    assumeThat(System.getProperty("holdfast.files")).isNull();
    List<Directory> folders = new ArrayList<>();
    List<IndexInput> inputs = new ArrayList<>();
    try {
      Path file = Files.write(temporary.resolve("small"), new byte[100]);
      Path large = Files.write(temporary.resolve("large"), new byte[64 << 10]);
      for (int i = 0; i < LocalFiles.MANY + 300; i++) {
        Directory folder = LocalFiles.ofShard(temporary);
        folders.add(folder);
        inputs.add(folder.openInput(file.getFileName().toString(), IOContext.DEFAULT));
      }
      assertThat(mapped(file)).isEqualTo(LocalFiles.MANY);
      inputs.add(folders.getLast().openInput(large.getFileName().toString(), IOContext.DEFAULT));
      assertThat(mapped(large)).isEqualTo(1);
      assertThat(inputs.get(LocalFiles.MANY + 1).length()).isEqualTo(100);

      IOUtils.close(folders.subList(0, 400));
      Directory again = LocalFiles.ofShard(temporary);
      folders.add(again);
      inputs.add(again.openInput(file.getFileName().toString(), IOContext.DEFAULT));
      assertThat(mapped(file)).as("there are few folders again").isEqualTo(LocalFiles.MANY + 1);
    } finally {
      IOUtils.close(inputs);
      IOUtils.close(folders);
    }
  }

  private static int mapped(Path file) throws IOException {
    String name = file.toRealPath().toString();
    return (int) Files.readAllLines(MAPS).stream().filter(line -> line.endsWith(name)).count();
  }
}
