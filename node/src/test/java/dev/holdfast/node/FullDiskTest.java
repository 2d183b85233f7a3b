package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node whose disk is full refuses writes by name, goes on reading, and heals by itself. The disk
/// is a small one in memory, which only root may mount.
final class FullDiskTest {
  private static final Duration PROMPT = Duration.ofSeconds(20);
  private static final String DOCUMENT = "{\"text\":\"" + "word ".repeat(200) + "\"}";

  @TempDir Path folder;
  private Path disk = Path.of("");

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectories(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64m", "holdfast-test", disk.toString()) == 0,
        "only root may mount a small disk");
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", disk.toString());
  }

  private static int run(String... command) throws Exception {
    try {
      return new ProcessBuilder(List.of(command)).redirectErrorStream(true).start().waitFor();
    } catch (IOException e) {
      return -1;
    }
  }

  /// Takes all room that there is.
  private Path fill(Path file) throws IOException {
    byte[] some = new byte[4096];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(some);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
    return file;
  }

  @Test
  void writesAreRefusedByNameAndGetsGoOnUntilThereIsRoom() throws Exception {
    try (NodeFixture node = node()) {
      assertThat(node.call("PUT", "/books/_doc/1?refresh=true", DOCUMENT).statusCode())
          .isEqualTo(201);

      Path filler = fill(disk.resolve("filler"));
      try (FileChannel file = FileChannel.open(filler, StandardOpenOption.WRITE)) {
        file.truncate(file.size() - (2 << 20)); // room for what was written before, of 64 MiB
      }

      HttpResponse<String> refused = until(node, "PUT", "/books/_doc/2", DOCUMENT, 429);
      assertThat(refused.body())
          .contains("cluster_block_exception")
          .contains("disk usage exceeded flood-stage watermark")
          .contains(disk.toString());
      assertThat(timed(node, "/books/_doc/1").statusCode()).isEqualTo(200);
      untilReport(node, "red");
      assertThat(node.call("GET", "/_health_report/disk", "").body())
          .contains("\"nodes_over_flood_stage_watermark\":1")
          .contains(disk.toString());

      Files.delete(filler);
      until(node, "PUT", "/books/_doc/2", DOCUMENT, 201);
      untilReport(node, "green");
    }
  }

  /// The engine fails in the middle of a commit, and can't be opened again.
  @Test
  void aShardThatFailedHealsAndNobodyHangsMeanwhile() throws Exception {
    try (NodeFixture node = node()) {
      for (int i = 0; i < 50; i++) {
        assertThat(node.call("PUT", "/books/_doc/" + i, DOCUMENT).statusCode()).isEqualTo(201);
      }
      Path filler = fill(disk.resolve("filler"));
      int _ = node.call("POST", "/books/_flush?force=true", "").statusCode();
      int _ = node.call("POST", "/books/_refresh", "").statusCode();

      HttpResponse<String> told = timed(node, "/books/_doc/1");
      assertThat(told.statusCode()).isIn(200, 429);
      if (told.statusCode() == 429) {
        assertThat(told.body()).contains("disk usage exceeded flood-stage watermark");
      }

      Files.delete(filler);
      for (int i = 0; i < 50; i++) {
        until(node, "GET", "/books/_doc/" + i, "", 200);
      }
      until(node, "PUT", "/books/_doc/50", DOCUMENT, 201);
      assertThat(scratch()).as("one opening of the one shard").hasSizeLessThanOrEqualTo(1);
    }
  }

  /// Of a process that died: its files fill the disk that the store is on.
  @Test
  void scratchIsRemovedBeforeTheStoreIsAsked() throws Exception {
    String store = "file:" + disk.resolve("store");
    try (NodeFixture node = new NodeFixture(disk.resolve("data"), store, Duration.ofMinutes(10))) {
      assertThat(node.call("PUT", "/books/_doc/1", DOCUMENT).statusCode()).isEqualTo(201);
    }
    Path left = Files.createDirectories(disk.resolve("data/scratch/uuid/0-7"));
    Path _ = fill(left.resolve("_1.cfs"));

    try (NodeFixture node = new NodeFixture(disk.resolve("data"), store, Duration.ofMinutes(10))) {
      assertThat(timed(node, "/books/_doc/1").statusCode()).isEqualTo(200);
      assertThat(until(node, "PUT", "/books/_doc/2", DOCUMENT, 201).statusCode()).isEqualTo(201);
    }
  }

  /// As of any store that refuses: the write that waits is acknowledged in the end, others are told
  /// why, health is red.
  @Test
  void aStoreThatIsFullIsToldOfAndWaitedOut() throws Exception {
    String store = "file:" + disk.resolve("store");
    try (NodeFixture node =
        new NodeFixture(folder.resolve("data"), store, Duration.ofMinutes(10))) {
      assertThat(node.call("PUT", "/books/_doc/1", DOCUMENT).statusCode()).isEqualTo(201);
      Path filler = fill(disk.resolve("filler"));
      CompletableFuture<Integer> waiting = new CompletableFuture<>();
      Thread writer =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  waiting.complete(node.call("PUT", "/books/_doc/2", DOCUMENT).statusCode());
                } catch (Exception e) {
                  waiting.completeExceptionally(e);
                }
              });

      untilHealth(node, "red");
      assertThat(node.call("GET", "/_cluster/health", "").body())
          .contains("store_troubles")
          .contains("reason=full");
      assertThat(node.call("GET", "/_health_report/object_store", "").body())
          .contains("\"status\":\"red\"")
          .contains("reason=full");
      assertThat(node.call("GET", "/_holdfast/store", "").body()).contains("\"reason\":\"full\"");
      HttpResponse<String> refused = node.call("PUT", "/books/_doc/3", DOCUMENT);
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.body())
          .contains("cluster_block_exception")
          .contains("the object store is full");
      assertThat(timed(node, "/books/_doc/1").statusCode()).isEqualTo(200);
      assertThat(waiting).isNotDone();

      Files.delete(filler);
      assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(201);
      writer.join();
      until(node, "PUT", "/books/_doc/3", DOCUMENT, 201);
      untilHealth(node, "green");
    }
  }

  private static void untilHealth(NodeFixture node, String status) throws Exception {
    until(node, "/_cluster/health", status);
  }

  private static void untilReport(NodeFixture node, String status) throws Exception {
    until(node, "/_health_report", status);
  }

  private static void until(NodeFixture node, String target, String status) throws Exception {
    long endNanos = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    String body = "";
    while (System.nanoTime() < endNanos && !has(body, status)) {
      body = node.call("GET", target, "").body();
      Thread.sleep(100);
    }
    assertThat(has(body, status)).as(body).isTrue();
  }

  /// Of the whole: the first that it tells.
  private static boolean has(String body, String status) {
    int at = body.indexOf("\"status\"");
    return at >= 0 && body.startsWith("\"status\":\"" + status, at);
  }

  private NodeFixture node() throws Exception {
    return new NodeFixture(
        disk.resolve("data"), "file:" + folder.resolve("store"), Duration.ofMinutes(10));
  }

  /// Folders of openings.
  private List<Path> scratch() throws IOException {
    try (Stream<Path> all = Files.walk(disk.resolve("data/scratch"), 2)) {
      return all.filter(path -> path.getNameCount() == disk.getNameCount() + 4).toList();
    }
  }

  private static HttpResponse<String> timed(NodeFixture node, String target) throws Exception {
    long startNanos = System.nanoTime();
    HttpResponse<String> answer = node.call("GET", target, "");
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(PROMPT);
    return answer;
  }

  /// Asks again until the answer has that status, for a minute at most.
  private static HttpResponse<String> until(
      NodeFixture node, String method, String target, String body, int status) throws Exception {
    long endNanos = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (true) {
      HttpResponse<String> answer = node.call(method, target, body);
      boolean isCreated = status == 201 && answer.statusCode() == 200;
      if (answer.statusCode() == status || isCreated || System.nanoTime() > endNanos) {
        assertThat(answer.statusCode()).as(answer.body()).isIn(status, isCreated ? 200 : status);
        return answer;
      }
      Thread.sleep(100);
    }
  }
}
