package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster state that is lost and made anew from what blobs carry, of which the first ones of a
/// restored index say that it is read in its snapshot (decision 038).
final class LostLentStateTest {
  private static final String REPOSITORY =
      "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}";

  @TempDir Path folder;
  private final World world = RealWorld.create();

  @AfterEach
  void end() {
    world.tasks().close();
  }

  private NodeFixture start(String copyDelay) throws Exception {
    return new NodeFixture(
        folder,
        Map.of(
            "gc.grace", "60ms",
            "gc.sweep_every", "100ms",
            "gc.sweep_delay", "10ms",
            "restore.copy_delay", copyDelay));
  }

  /// Restores an index of which nothing else is left.
  private static void restore(NodeFixture node) throws Exception {
    node.ok("PUT", "/_snapshot/r", REPOSITORY);
    node.ok("PUT", "/books", "{\"settings\":{\"number_of_shards\":2}}");
    node.fill("books", 60);
    node.ok("PUT", "/_snapshot/r/s?wait_for_completion=true", "");
    node.ok("DELETE", "/books", "");
    node.ok("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", "");
  }

  private void repair() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("store/cluster"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    StringWriter said = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(said), "store", "repair", "--store", "file:" + folder.resolve("store"));
    assertThat(status).as(said.toString()).isZero();
  }

  private static void requireAll(NodeFixture node) throws Exception {
    JsonNode found =
        node.json(
            "POST", "/books/_search", "{\"size\":0,\"aggs\":{\"s\":{\"sum\":{\"field\":\"n\"}}}}");
    assertThat(found.at("/hits/total/value").asInt()).as(found.toString()).isEqualTo(60);
    assertThat(found.at("/aggregations/s/value").asInt()).isEqualTo(60 * 59 / 2);
  }

  private boolean isCopied(NodeFixture node) throws Exception {
    return Await.until(
        world,
        Duration.ofSeconds(30),
        Duration.ofMillis(50),
        () -> !node.json("/books/_recovery").toString().contains("is_being_copied"));
  }

  @Test
  void whatIsLentIsReadAndCopiedAlthoughNobodyKnowsTheRepository() throws Exception {
    try (NodeFixture node = start("1h")) {
      restore(node);
    }
    repair();
    try (NodeFixture node = start("1h")) {
      requireAll(node);
      assertThat(node.json("/books/_recovery").toString()).contains("is_being_copied");
    }
    try (NodeFixture node = start("1ms")) {
      assertThat(isCopied(node)).isTrue();
      node.ok("PUT", "/_snapshot/r", REPOSITORY);
      node.ok("DELETE", "/_snapshot/r/s", "");
      requireAll(node);
    }
    try (NodeFixture node = start("1ms")) {
      requireAll(node);
    }
  }

  @Test
  void whatIsCopiedIsFoundToBeAlthoughTheSnapshotIsGone() throws Exception {
    try (NodeFixture node = start("1h")) {
      restore(node);
    }
    try (NodeFixture node = start("1ms")) { // hollow shards: none writes a blob that says more
      assertThat(isCopied(node)).isTrue();
      node.ok("DELETE", "/_snapshot/r/s", "");
    }
    repair();
    try (NodeFixture node = start("1ms")) {
      requireAll(node);
      assertThat(isCopied(node)).isTrue();
      requireAll(node);
    }
  }
}
