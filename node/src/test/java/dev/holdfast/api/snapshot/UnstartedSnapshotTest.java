package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.ThreadShortage;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnstartedSnapshotTest {
  @Test
  void nothingIsLeftOfASnapshotThatNoThreadCanMake(@TempDir Path folder) throws Exception {
    World real = RealWorld.create();
    ThreadShortage threads = new ThreadShortage(real.tasks());
    try (NodeFixture node = new NodeFixture(folder, Map.of(), threads.in(real))) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      threads.begin("snapshot");

      assertThat(node.call("PUT", "/_snapshot/r/one", "").statusCode()).isEqualTo(500);
      assertThat(node.call("GET", "/_snapshot/r/one", "").statusCode()).isEqualTo(404);

      threads.end();
      node.ok("PUT", "/_snapshot/r/one?wait_for_completion=true", "");
    }
  }
}
