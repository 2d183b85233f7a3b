package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `_cluster/stats` tells of snapshots while they are made.
final class CountedSnapshotsTest {
  /// Tasks of which those that make snapshots wait at a gate.
  private record Gated(Tasks tasks, CountDownLatch gate) implements Tasks {
    World in(World world) {
      return new World(
          world.clock(), world.sleeper(), world.ids(), world.chance(), this, world.memory());
    }

    @Override
    public Task start(String name, Work work) {
      return tasks.start(
          name,
          () -> {
            if (name.equals("snapshot")) {
              gate.await();
            }
            work.run();
          });
    }

    @Override
    public Task repeat(String name, Duration pause, Work work) {
      return tasks.repeat(name, pause, work);
    }

    @Override
    public WorkPool pool(String name, int threads, int queueMax) {
      return tasks.pool(name, threads, queueMax);
    }

    @Override
    public WorkPool fairPool(String name, int threads, int queueMax, Duration longAfter) {
      return tasks.fairPool(name, threads, queueMax, longAfter);
    }

    @Override
    public void close() {
      tasks.close();
    }
  }

  private static JsonNode counts(NodeFixture node) throws Exception {
    return node.ok("GET", "/_cluster/stats", "").at("/snapshots/current_counts");
  }

  @Test
  void oneThatIsBeingMadeIsCounted(@TempDir Path folder) throws Exception {
    World real = RealWorld.create();
    CountDownLatch gate = new CountDownLatch(1);
    try (NodeFixture node =
        new NodeFixture(folder, Map.of(), new Gated(real.tasks(), gate).in(real))) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":3}}");
      node.ok("PUT", "/_snapshot/r/one", "");

      JsonNode during = counts(node);
      gate.countDown();

      assertThat(during.path("snapshots").asInt()).isEqualTo(1);
      assertThat(during.path("shard_snapshots").asInt()).isEqualTo(3);
      assertThat(during.path("concurrent_operations").asInt()).isEqualTo(1);
      assertThat(during.path("snapshot_deletions").isIntegralNumber()).isTrue();
      Eventually.holds(() -> {
        JsonNode after = counts(node);
        return after.path("snapshots").asInt(-1) == 0
            && after.path("shard_snapshots").asInt(-1) == 0;
      });
    }
  }
}
