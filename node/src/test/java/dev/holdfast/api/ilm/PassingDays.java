package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.real.MovedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;

/// Nodes with policies, whose days pass as a test says.
abstract class PassingDays {
  private final AtomicLong passedMillis = new AtomicLong();

  @TempDir private Path folder = Path.of("");

  NodeFixture started() throws Exception {
    NodeFixture node = new NodeFixture(folder, MovedClock.calendar(passedMillis::get));
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.lifecycle.poll_interval\":\"1s\"}}");
    return node;
  }

  void pass(Duration time) {
    passedMillis.addAndGet(time.toMillis());
  }

  static void until(String what, Callable<Boolean> condition) throws Exception {
    for (int i = 0; i < 600 && !condition.call(); i++) {
      Thread.sleep(50);
    }
    assertThat(condition.call()).as(what).isTrue();
  }

  static JsonNode explained(NodeFixture node, String index) throws Exception {
    return node.ok("GET", "/" + index + "/_ilm/explain", "").path("indices").path(index);
  }

  static boolean exists(NodeFixture node, String index) throws Exception {
    return node.call("HEAD", "/" + index, "").statusCode() == 200;
  }

  static void untilIn(NodeFixture node, String index, String phase, String action)
      throws Exception {
    until(
        index + " is in " + phase + "/" + action,
        () ->
            explained(node, index).path("phase").asText().equals(phase)
                && explained(node, index).path("action").asText().equals(action));
  }
}
