package dev.holdfast.chaos;

import dev.holdfast.chaos.network.ClusterNetwork;
import dev.holdfast.chaos.network.PacketFaults;
import dev.holdfast.chaos.network.PacketFaults.Fault;
import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreProxy;
import dev.holdfast.chaos.node.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// What can happen to a node of a cluster, or to the store below it. Each kind ends with all nodes
/// running again, and with the store as it was.
enum Disruption {
  /// The plug is pulled, and the process comes back on its folder.
  KILL {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      killed(nodes.random(dice), dice, false);
    }
  },
  /// The same, and its disk is lost.
  KILL_AND_LOSE_DISK {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      killed(nodes.random(dice), dice, true);
    }
  },
  /// The plug of the node that leads.
  KILL_LEADER {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      killed(nodes.leader(dice), dice, false);
    }
  },
  /// SIGSTOP, and later SIGCONT: the zombie that does not know how late it is.
  FREEZE {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      NodeProcess node = nodes.random(dice);
      System.out.println("freeze " + node);
      node.freeze();
      Thread.sleep(pause.toMillis());
      node.thaw();
      nodes.rejoin(node);
    }
  },
  /// SIGTERM, as an operator does it.
  RESTART {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      NodeProcess node = nodes.random(dice);
      System.out.println("restart " + node);
      node.stop();
      Thread.sleep(dice.nextInt(2_000));
      node.restart();
    }
  },
  /// What a node sends to another one, to the leader and to the proxy vanishes; it still hears
  /// them. Not of the leader, which rightly evicts a proxy that it alone cannot reach.
  ONE_WAY_PARTITION {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      NodeProcess leader = nodes.leader(dice);
      NodeProcess node = other(nodes, leader, dice);
      NodeProcess other = other(nodes, node, dice);
      System.out.println(node + " is not heard by " + other + ", " + leader + " and the proxy");
      PacketFaults faults = nodes.network().faults();
      for (int to : List.of(host(other), host(leader), ClusterNetwork.PROXY)) {
        faults.oneWay(host(node), to, Fault.CUT);
      }
      endure(nodes, node, pause);
    }
  },
  /// What a node sends to another one vanishes. All others reach both, so both stay members.
  PAIR_PARTITION {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      NodeProcess node = nodes.random(dice);
      NodeProcess other = other(nodes, node, dice);
      System.out.println(node + " is not heard by " + other);
      nodes.network().faults().oneWay(host(node), host(other), Fault.CUT);
      endure(nodes, node, pause);
      nodes.rejoin(other);
    }
  },
  /// A node and all others do not reach each other; it does reach the store.
  ISOLATE {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      isolated(nodes, nodes.random(dice), pause);
    }
  },
  /// The same of the node that leads, which goes on answering for its lease.
  ISOLATE_LEADER {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      isolated(nodes, nodes.leader(dice), pause);
    }
  },
  /// A node does not reach the store; it does reach the others. Writes of its shards wait for the
  /// store, and are then told that it fails.
  CUT_STORE {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      NodeProcess node = nodes.random(dice);
      System.out.println("cut " + node + " from the store");
      harmed.tally().storeFails();
      nodes.network().faults().bothWays(host(node), ClusterNetwork.STORE, Fault.CUT);
      endure(nodes, node, pause);
      harmed.tally().storeWorks();
    }
  },
  /// Each packet from and to a node is 100 ms late: a round trip to a node or to the store takes
  /// 200 ms.
  DELAY {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      slow(nodes, dice, pause, new Fault(0, Duration.ofMillis(100)));
    }
  },
  /// Of the packets from and to a node, three in a hundred vanish.
  DROPS {
    @Override
    void happen(ClusterNodes nodes, Random dice, Duration pause)
        throws IOException, InterruptedException {
      slow(nodes, dice, pause, new Fault(0.03, Duration.ZERO));
    }
  },
  /// The store refuses everything that anybody asks, in one of its ways.
  STORE_REFUSES {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      StoreProxy.Answer[] answers = StoreProxy.Answer.values();
      StoreProxy.Answer answer = answers[dice.nextInt(answers.length)];
      long millis = 500 + dice.nextLong(STORE_MILLIS_MAX);
      System.out.println("the store refuses for " + millis + " ms: " + answer);
      harmed.tally().storeFails();
      harmed.store().refuse(answer);
      Thread.sleep(millis);
      harmed.store().refuse(null);
      harmed.tally().storeWorks();
      nodes.healAll();
    }
  },
  /// The store answers nothing at all for a while.
  STORE_FREEZES {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      long millis = 500 + dice.nextLong(STORE_MILLIS_MAX);
      System.out.println("the store is frozen for " + millis + " ms");
      harmed.tally().storeFails();
      harmed.store().freeze();
      Thread.sleep(millis);
      harmed.store().thaw();
      harmed.tally().storeWorks();
      nodes.healAll();
    }
  },
  /// A bit of a blob flips.
  FLIP_BLOB {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      harmed.harmBlob(StoredObject.Harm.FLIP, dice);
    }
  },
  REMOVE_BLOB {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      harmed.harmBlob(StoredObject.Harm.REMOVE, dice);
    }
  },
  /// A bit of a file of a log flips.
  FLIP_LOG {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      harmed.harmLog(StoredObject.Harm.FLIP, dice);
    }
  },
  REMOVE_LOG {
    @Override
    void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
        throws IOException, InterruptedException {
      harmed.harmLog(StoredObject.Harm.REMOVE, dice);
    }
  };

  private static final long STORE_MILLIS_MAX = 12_000;

  /// Those that need no network of the nodes' own.
  static final List<Disruption> OF_PROCESSES =
      List.of(
          KILL,
          KILL_AND_LOSE_DISK,
          KILL_LEADER,
          FREEZE,
          RESTART,
          STORE_REFUSES,
          STORE_FREEZES,
          FLIP_BLOB,
          REMOVE_BLOB,
          FLIP_LOG,
          REMOVE_LOG);

  boolean isOfNetwork() {
    return !OF_PROCESSES.contains(this);
  }

  /// @param harmed the store below the nodes
  void happen(ClusterNodes nodes, HarmedStore harmed, Random dice, Duration pause)
      throws IOException, InterruptedException {
    happen(nodes, dice, pause);
  }

  /// Of those that leave the store alone.
  void happen(ClusterNodes nodes, Random dice, Duration pause)
      throws IOException, InterruptedException {
    throw new IllegalStateException("needs the store: " + this);
  }

  private static void killed(NodeProcess node, Random dice, boolean isDiskLost)
      throws IOException, InterruptedException {
    System.out.println("kill " + node + (isDiskLost ? " and its disk" : ""));
    node.kill();
    Thread.sleep(dice.nextInt(8_000));
    if (isDiskLost) {
      delete(node.data());
      Files.createDirectories(node.data());
    }
    node.restart();
  }

  private static int host(NodeProcess node) {
    return ClusterNetwork.host(node.place());
  }

  private static NodeProcess other(ClusterNodes nodes, NodeProcess node, Random dice) {
    List<NodeProcess> others = nodes.othersThan(node);
    return others.get(dice.nextInt(others.size()));
  }

  /// A fault on all ways between a node and the other nodes.
  private static void around(ClusterNodes nodes, NodeProcess node, Fault fault) {
    PacketFaults faults = nodes.network().faults();
    faults.bothWays(host(node), ClusterNetwork.PROXY, fault);
    for (NodeProcess other : nodes.othersThan(node)) {
      faults.bothWays(host(node), host(other), fault);
    }
  }

  private static void isolated(ClusterNodes nodes, NodeProcess node, Duration pause)
      throws IOException, InterruptedException {
    System.out.println("isolate " + node);
    around(nodes, node, Fault.CUT);
    endure(nodes, node, pause);
  }

  private static void slow(ClusterNodes nodes, Random dice, Duration pause, Fault fault)
      throws IOException, InterruptedException {
    NodeProcess node = nodes.random(dice);
    System.out.println(node + " has a bad line: " + fault);
    around(nodes, node, fault);
    nodes.network().faults().bothWays(host(node), ClusterNetwork.STORE, fault);
    endure(nodes, node, pause);
  }

  private static void endure(ClusterNodes nodes, NodeProcess node, Duration pause)
      throws IOException, InterruptedException {
    Thread.sleep(pause.toMillis());
    nodes.network().faults().heal();
    nodes.rejoin(node);
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walked = Files.walk(folder)) {
      files = walked.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
