package dev.holdfast.benchmark.process;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Two nodes of Elasticsearch on this machine: a shard has its primary on one and its replica on
/// the other.
final class ElasticsearchNodes implements AutoCloseable {
  private static final int NODES = 2;

  /// From a node's port for HTTP to that for other nodes.
  private static final int TRANSPORT_OFFSET = 100;

  private static final Duration START_MAX = Duration.ofMinutes(5);
  private static final long STOP_SECONDS_MAX = 30;

  private final List<Process> processes = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();

  /// @param script that runs a node in the foreground: `script DATA PORT setting=value …`; the heap
  ///   is its variable `HEAP`
  /// @param port of the first node
  /// @param inside what goes before its command
  ElasticsearchNodes(Path script, Path home, int port, String heap, List<String> inside)
      throws IOException, InterruptedException {
    Files.createDirectories(home);
    // It may run as another user, who must be able to get there.
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> seeds = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      addresses.add(NodeAddress.local(port + i).address());
      seeds.add(NodeAddress.local(port + i + TRANSPORT_OFFSET).address());
    }
    try {
      for (int i = 0; i < NODES; i++) {
        List<String> command = new ArrayList<>(inside);
        command.addAll(
            List.of(
                script.toString(),
                home.resolve("node-" + i).toString(),
                Integer.toString(port + i),
                "node.name=node-" + i,
                "discovery.type=multi-node",
                "discovery.seed_hosts=" + String.join(",", seeds),
                "cluster.initial_master_nodes=node-0"));
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("node-" + i + ".log").toFile());
        builder.environment().put("HEAP", heap);
        processes.add(builder.start());
        // One after the other: what a script does at its first run, two would do at once.
        awaitNodes(i + 1, home);
      }
    } catch (IOException | InterruptedException e) {
      close();
      throw e;
    }
  }

  List<String> addresses() {
    return addresses;
  }

  private void awaitNodes(int many, Path home) throws IOException, InterruptedException {
    Http http = new Http(addresses.getFirst(), Duration.ofSeconds(5));
    long endNanos = System.nanoTime() + START_MAX.toNanos();
    while (true) {
      try {
        JsonNode nodes = http.get("/_cat/nodes?format=json").body();
        if (nodes.isArray() && nodes.size() == many) { // an error has two members, too
          return;
        }
      } catch (IOException e) {
        if (!processes.stream().allMatch(Process::isAlive) || System.nanoTime() > endNanos) {
          throw new IOException("Elasticsearch did not start, see " + home, e);
        }
      }
      Thread.sleep(200);
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroy);
    try {
      for (Process process : processes) {
        boolean _ = process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    processes.forEach(Process::destroyForcibly);
  }
}
