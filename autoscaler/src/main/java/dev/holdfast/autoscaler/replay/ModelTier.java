package dev.holdfast.autoscaler.replay;

import dev.holdfast.autoscaler.NodeLoad;
import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.WorkLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A tier that takes a time to grow and to shrink: a node works once it has started and been given
/// its shards, is paid for from the moment when it is asked for, and works and is paid for until it
/// has given its shards away. Work is spread evenly; what is too much waits.
final class ModelTier {
  /// Until a node has started, and until shards have moved to it or from it.
  private static final int START_SECONDS = 30;

  private static final int MOVE_SECONDS = 30;

  /// A request by itself.
  private static final double SERVICE_SECONDS = 0.05;

  private final NodeSize size;
  private final List<Node> nodes = new ArrayList<>();
  private double backlog;
  private int ordinal;

  ModelTier(NodeSize size, int first) {
    this.size = size;
    for (int i = 0; i < first; i++) {
      nodes.add(new Node("node-" + ordinal++, 0));
    }
  }

  /// One process.
  private static final class Node {
    final String name;
    final int worksFrom;
    int goneFrom = Integer.MAX_VALUE;
    final WorkLoad load = new WorkLoad();

    Node(String name, int worksFrom) {
      this.name = name;
      this.worksFrom = worksFrom;
    }

    boolean works(int second) {
      return second >= worksFrom;
    }

    boolean stays() {
      return goneFrom == Integer.MAX_VALUE;
    }
  }

  /// Starts nodes, or lets the youngest go.
  void become(int wanted, int second) {
    long staying = nodes.stream().filter(Node::stays).count();
    for (; staying < wanted; staying++) {
      nodes.add(new Node("node-" + ordinal++, second + START_SECONDS + MOVE_SECONDS));
    }
    for (int i = nodes.size() - 1; i >= 0 && staying > wanted; i--) {
      if (nodes.get(i).stays()) {
        nodes.get(i).goneFrom = second + MOVE_SECONDS;
        staying--;
      }
    }
  }

  /// A second of work.
  ///
  /// @return seconds that a request takes
  double work(double arrivals, int second) {
    nodes.removeIf(node -> second >= node.goneFrom);
    List<Node> working = nodes.stream().filter(node -> node.works(second)).toList();
    double capacity = working.size() * size.cores();
    double done = Math.min(backlog + arrivals, capacity);
    backlog = backlog + arrivals - done;
    for (Node node : working) {
      node.load.sample(done / working.size(), backlog / working.size(), size.cores(), 1);
    }
    return capacity == 0 ? Double.POSITIVE_INFINITY : latency(done / capacity, capacity);
  }

  /// Waiting in a queue with several servers, after Sakasegawa (1977), and for what has piled up.
  private double latency(double use, double servers) {
    double bounded = Math.min(use, 0.999);
    double queued =
        SERVICE_SECONDS
            * Math.pow(bounded, Math.sqrt(2 * (servers + 1)))
            / (servers * (1 - bounded));
    return SERVICE_SECONDS + queued + backlog / servers;
  }

  int paidNodes() {
    return nodes.size();
  }

  /// Nodes that start have nothing to tell yet.
  List<NodeLoad> reports(int second) {
    return nodes.stream()
        .filter(node -> node.works(second))
        .map(node -> new NodeLoad(node.name, node.load.load(), size.cores(), Duration.ZERO))
        .toList();
  }
}
