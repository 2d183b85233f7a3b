package dev.holdfast.benchmark.process;

import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Nodes of Holdfast as processes of this machine, over a real S3 server.
final class HoldfastNodes implements AutoCloseable {
  private final CommonOptions common;
  private final Path home;
  private final String heap;
  private final int port;
  private final StoreServer store;
  private final List<NodeProcess> nodes = new ArrayList<>();

  /// @param port of the first node; each other has the next
  HoldfastNodes(CommonOptions common, Path home, int port, String heap)
      throws IOException, InterruptedException {
    this.common = common;
    this.home = Files.createDirectories(home);
    this.heap = heap;
    this.port = port;
    this.store = common.startStore(home, NodeAddress.LOOPBACK);
  }

  /// Starts one and waits until it answers.
  ///
  /// @param inside what goes before its command
  /// @param javaOptions empty for none
  /// @param settings each a name, `=` and a value
  NodeProcess start(
      String name, String roles, List<String> inside, String javaOptions, String... settings)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(store.nodeArguments());
    arguments.addAll(List.of("--roles", roles, "--heap", heap, "-E", "node.name=" + name));
    for (String setting : settings) {
      arguments.addAll(List.of("-E", setting));
    }
    Map<String, String> environment = new HashMap<>(StoreServer.nodeEnvironment());
    environment.put("HOLDFAST_JAVA_OPTS", javaOptions);
    NodeProcess node =
        new NodeProcess(
            common.launcher(),
            new NodeAddress(NodeAddress.LOOPBACK, port + nodes.size(), inside),
            Files.createDirectories(home.resolve(name)),
            arguments,
            environment);
    nodes.add(node);
    return node;
  }

  /// The last first: the first is the one that leads, as a rule.
  @Override
  public void close() {
    try {
      for (NodeProcess node : nodes.reversed()) {
        node.stop();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    store.close();
  }
}
