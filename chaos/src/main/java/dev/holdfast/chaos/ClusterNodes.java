package dev.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The processes of one cluster: indexing nodes, search nodes, and a proxy that is never disrupted,
/// since it is what the clients talk to.
final class ClusterNodes {
  private static final Duration HEALED_MAX = Duration.ofMinutes(2);

  private final NodeProcess proxy;
  private final List<NodeProcess> disruptable;

  private ClusterNodes(NodeProcess proxy, List<NodeProcess> disruptable) {
    this.proxy = proxy;
    this.disruptable = disruptable;
  }

  static ClusterNodes start(
      Path launcher, int firstPort, Path home, StoreServer store, int indexing, int searching)
      throws IOException, InterruptedException {
    List<NodeProcess> nodes = new ArrayList<>();
    boolean isStarted = false;
    try {
      for (int i = 0; i < indexing + searching; i++) {
        String role = i < indexing ? "index" : "search";
        nodes.add(node(launcher, firstPort + 1 + i, home, store, role));
      }
      NodeProcess proxy = node(launcher, firstPort, home, store, "proxy");
      isStarted = true;
      return new ClusterNodes(proxy, nodes);
    } finally {
      if (!isStarted) {
        for (NodeProcess node : nodes) {
          node.kill();
        }
      }
    }
  }

  private static NodeProcess node(
      Path launcher, int port, Path home, StoreServer store, String role)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(store.nodeArguments());
    arguments.addAll(
        List.of("--roles", role, "--heap", "384m", "-E", "node.name=" + role + "-" + port));
    Path data = home.resolve(role + "-" + port);
    Files.createDirectories(data);
    return new NodeProcess(launcher, port, data, arguments, StoreServer.nodeEnvironment());
  }

  int proxyPort() {
    return proxy.port();
  }

  NodeProcess random(Random dice) {
    return disruptable.get(dice.nextInt(disruptable.size()));
  }

  /// The node that leads the cluster; a random one when the proxy leads or nobody does.
  NodeProcess leader(Random dice) throws InterruptedException {
    try {
      JsonNode masters =
          new Http(proxy.port(), Duration.ofSeconds(5)).get("/_cat/master?format=json").body();
      String name = masters.path(0).path("node").asText();
      for (NodeProcess node : disruptable) {
        if (name.endsWith("-" + node.port())) {
          return node;
        }
      }
    } catch (IOException e) {
      System.out.println("who leads is not known: " + e.getMessage());
    }
    return random(dice);
  }

  /// Starts every process that is not running and waits until all shards are there.
  void healAll() throws IOException, InterruptedException {
    for (NodeProcess node : disruptable) {
      if (!node.isAlive()) {
        node.restart();
      }
    }
    Http http = new Http(proxy.port(), Duration.ofSeconds(10));
    long endNanos = System.nanoTime() + HEALED_MAX.toNanos();
    while (true) {
      Http.Reply health = http.get("/_cluster/health");
      if (health.status() == 200 && health.body().path("status").asText().equals("green")) {
        return;
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException("the cluster does not heal: " + health.body());
      }
      Thread.sleep(200);
    }
  }

  void killAll() throws InterruptedException {
    for (NodeProcess node : disruptable) {
      node.kill();
    }
    proxy.kill();
  }
}
