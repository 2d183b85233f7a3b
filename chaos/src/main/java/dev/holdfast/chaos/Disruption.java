package dev.holdfast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// What can happen to a node of a cluster. Each kind ends with the node running again.
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
      // It may find that it was evicted, and then it stops.
      Thread.sleep(5_000);
      if (!node.isAlive()) {
        node.restart();
      }
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
  };

  abstract void happen(ClusterNodes nodes, Random dice, Duration pause)
      throws IOException, InterruptedException;

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
