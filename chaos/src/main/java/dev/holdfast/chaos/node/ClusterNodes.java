package dev.holdfast.chaos.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.network.ClusterNetwork;
import dev.holdfast.chaos.network.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// The processes of one cluster: indexing nodes, search nodes, and a proxy that is never disrupted,
/// since it is what the clients talk to. (The leader may evict it all the same.)
public final class ClusterNodes {
  private static final Duration HEALED_MAX = Duration.ofMinutes(2);

  private final NodeProcess proxy;
  private final List<NodeProcess> disruptable;
  private final @Nullable ClusterNetwork network;

  private ClusterNodes(
      NodeProcess proxy, List<NodeProcess> disruptable, @Nullable ClusterNetwork network) {
    this.proxy = proxy;
    this.disruptable = disruptable;
    this.network = network;
  }

  /// @param network where the nodes live; null for the one of this process
  public static ClusterNodes start(
      Path launcher,
      int firstPort,
      Path home,
      StoreServer store,
      int indexing,
      int searching,
      @Nullable ClusterNetwork network)
      throws IOException, InterruptedException {
    List<NodeProcess> nodes = new ArrayList<>();
    boolean isStarted = false;
    try {
      for (int i = 0; i < indexing + searching; i++) {
        String role = i < indexing ? "index" : "search";
        int port = firstPort + 1 + i;
        NodeAddress place = network == null ? NodeAddress.local(port) : network.node(i, port);
        nodes.add(node(launcher, place, home, store, role));
      }
      NodeAddress place = network == null ? NodeAddress.local(firstPort) : network.proxy(firstPort);
      NodeProcess proxy = node(launcher, place, home, store, "proxy");
      isStarted = true;
      return new ClusterNodes(proxy, nodes, network);
    } finally {
      if (!isStarted) {
        for (NodeProcess node : nodes) {
          node.kill();
        }
      }
    }
  }

  private static NodeProcess node(
      Path launcher, NodeAddress place, Path home, StoreServer store, String role)
      throws IOException, InterruptedException {
    String name = role + "-" + place.port();
    List<String> arguments = new ArrayList<>(store.nodeArguments());
    arguments.addAll(List.of("--roles", role, "--heap", "384m", "-E", "node.name=" + name));
    Path data = home.resolve(name);
    Files.createDirectories(data);
    return new NodeProcess(launcher, place, data, arguments, StoreServer.nodeEnvironment());
  }

  /// One more node, which is not among those that are disrupted.
  public NodeProcess add(Path launcher, int port, Path home, StoreServer store, String role)
      throws IOException, InterruptedException {
    return node(launcher, NodeAddress.local(port), home, store, role);
  }

  public NodeProcess proxy() {
    return proxy;
  }

  /// All but the proxy.
  public List<NodeProcess> all() {
    return disruptable;
  }

  /// Where clients go.
  public String address() {
    return proxy.place().address();
  }

  /// @throws IllegalStateException when the nodes have no network of their own
  public ClusterNetwork network() {
    if (network == null) {
      throw new IllegalStateException("the nodes have no network of their own");
    }
    return network;
  }

  public NodeProcess random(Random dice) {
    return disruptable.get(dice.nextInt(disruptable.size()));
  }

  /// The disruptable node of that name.
  public Optional<NodeProcess> named(String name) {
    return disruptable.stream().filter(node -> node.toString().equals(name)).findFirst();
  }

  public List<NodeProcess> othersThan(NodeProcess node) {
    return disruptable.stream().filter(other -> other != node).toList();
  }

  /// The node that leads the cluster; a random one when the proxy leads or nobody does.
  public NodeProcess leader(Random dice) throws InterruptedException {
    try {
      NodeProcess leader = leader();
      if (leader != proxy) {
        return leader;
      }
    } catch (IOException e) {
      System.out.println("who leads is not known: " + e.getMessage());
    }
    return random(dice);
  }

  /// The node that leads the cluster, which may be the proxy.
  public NodeProcess leader() throws IOException, InterruptedException {
    JsonNode masters =
        new Http(address(), Duration.ofSeconds(5)).get("/_cat/master?format=json").body();
    String name = masters.path(0).path("node").asText();
    for (NodeProcess node : disruptable) {
      if (name.equals(node.toString())) {
        return node;
      }
    }
    if (name.equals(proxy.toString())) {
      return proxy;
    }
    throw new IOException("no node of ours leads: " + masters);
  }

  /// Waits until a node that was cut off is a member again. It may find that it was evicted, or
  /// have evicted others: who has stopped is started again, as a supervisor would.
  public void rejoin(NodeProcess node) throws IOException, InterruptedException {
    Http http = new Http(address(), Duration.ofSeconds(10));
    long endNanos = System.nanoTime() + HEALED_MAX.toNanos();
    while (true) {
      startAll();
      if (isMember(http, node)) {
        return;
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException(node + " neither comes back nor stops");
      }
      Thread.sleep(200);
    }
  }

  private static boolean isMember(Http http, NodeProcess node) throws InterruptedException {
    try {
      for (JsonNode member : http.get("/_cat/nodes?format=json&h=name").body()) {
        if (member.path("name").asText().equals(node.toString())) {
          return true;
        }
      }
    } catch (IOException e) {
      System.out.println("who is a member is not known: " + e);
    }
    return false;
  }

  private void startAll() throws IOException, InterruptedException {
    startDead(null);
  }

  /// Starts every process that is not running, the proxy first.
  ///
  /// @param except to stay dead; null for none
  public void startDead(@Nullable NodeProcess except) throws IOException, InterruptedException {
    List<NodeProcess> all = new ArrayList<>();
    all.add(proxy);
    all.addAll(disruptable);
    for (NodeProcess node : all) {
      if (node != except && !node.isAlive()) {
        System.out.println(node + " has stopped and is started again");
        node.restart();
      }
    }
  }

  /// Starts every process that is not running and waits until all shards are there.
  public void healAll() throws IOException, InterruptedException {
    Http http = new Http(address(), Duration.ofSeconds(10));
    long endNanos = System.nanoTime() + HEALED_MAX.toNanos();
    while (true) {
      startAll();
      String health = health(http);
      if (health.equals("green")) {
        return;
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException("the cluster does not heal: " + health);
      }
      Thread.sleep(200);
    }
  }

  private static String health(Http http) throws InterruptedException {
    try {
      return http.get("/_cluster/health").body().path("status").asText();
    } catch (IOException e) {
      return e.toString();
    }
  }

  public void killAll() throws InterruptedException {
    for (NodeProcess node : disruptable) {
      node.kill();
    }
    proxy.kill();
  }
}
