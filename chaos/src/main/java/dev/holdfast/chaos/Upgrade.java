package dev.holdfast.chaos;

import dev.holdfast.chaos.client.ClusterLoad;
import dev.holdfast.chaos.client.Expectation;
import dev.holdfast.chaos.client.Tally;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.EarlierBuild;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreServer;
import dev.holdfast.clusterstate.Formats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast chaos upgrade`: a cluster of an earlier build is upgraded to this one under load,
/// one node at a time, and taken back. Nothing fails, nothing is lost.
@Command(
    name = "upgrade",
    mixinStandardHelpOptions = true,
    description =
        "Starts a cluster of an earlier build, upgrades it node by node under load, takes it back"
            + " the same way, and checks that no request failed and nothing acknowledged is lost.")
final class Upgrade implements Callable<Integer> {
  private static final String INDEX = "upgrade";
  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(150);

  /// Load on a cluster as it is, before and after each step.
  private static final Duration SETTLED = Duration.ofSeconds(2);

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--from", description = "commit of the earlier build (default: ${DEFAULT-VALUE})")
  private String from = EarlierBuild.COMMIT;

  @Option(
      names = "--from-launcher",
      description = "the holdfast of the earlier build; built from the history when not given")
  private @Nullable Path fromLauncher;

  @Option(names = "--indexing", description = "indexing nodes (default: ${DEFAULT-VALUE})")
  private int indexing = 2;

  @Option(names = "--searching", description = "search nodes (default: ${DEFAULT-VALUE})")
  private int searching = 2;

  @Option(names = "--clients", description = "bulk clients (default: ${DEFAULT-VALUE})")
  private int clients = 4;

  @Option(names = "--documents", description = "ids of each client (default: ${DEFAULT-VALUE})")
  private int documentsEach = 500;

  @Option(names = "--port", description = "of the first node (default: ${DEFAULT-VALUE})")
  private int port = 9270;

  @Override
  public Integer call() throws Exception {
    Path home = common.home();
    Path earlier =
        fromLauncher == null
            ? EarlierBuild.launcher(Objects.requireNonNull(common.launcher().getParent()), from)
            : fromLauncher.toAbsolutePath();
    System.out.printf(
        "chaos upgrade [from=%s, indexing=%d, searching=%d, clients=%d, seed=%d, folder=%s]%n",
        from, indexing, searching, clients, common.seed, home);
    Tally tally = new Tally();
    try (StoreServer store = common.startStore(home, NodeAddress.LOOPBACK)) {
      ClusterNodes nodes =
          ClusterNodes.start(earlier, port, home, store, indexing, searching, null);
      try {
        run(nodes, earlier, tally);
      } finally {
        nodes.killAll();
      }
    }
    return report(home, tally);
  }

  private void run(ClusterNodes nodes, Path earlier, Tally tally)
      throws IOException, InterruptedException {
    Http.Reply created =
        new Http(nodes.address(), Duration.ofSeconds(60))
            .send("PUT", "/" + INDEX, ClusterLoad.settings(2, searching));
    Verification.require("create index", created);
    // As docs/upgrading.md has it for an upgrade that may be taken back.
    Verification.require(
        "hold the version of formats",
        new Http(nodes.address(), Duration.ofSeconds(60))
            .send(
                "PUT",
                "/_cluster/settings",
                "{\"persistent\":{\"" + Formats.HOLD + "\":\"true\"}}"));
    Expectation[][] documents = Expectation.table(clients, documentsEach);
    Random dice = new Random(common.seed);
    change(nodes, common.launcher(), documents, dice, tally);
    new Verification(nodes.address(), INDEX, tally).check(documents);
    change(nodes, earlier, documents, dice, tally);
    new Verification(nodes.address(), INDEX, tally).check(documents);
  }

  /// Starts one node after the other from another build, under load; the proxy, which clients talk
  /// to, at the end, without.
  private void change(
      ClusterNodes nodes, Path to, Expectation[][] documents, Random dice, Tally tally)
      throws IOException, InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> running =
        ClusterLoad.start(nodes.address(), INDEX, documents, dice, isOver, tally, CLIENT_TIMEOUT);
    try {
      for (NodeProcess node : nodes.all()) {
        Thread.sleep(SETTLED.toMillis());
        node.stop();
        node.restartAs(to);
        nodes.healAll();
        System.out.printf(
            "%s runs %s; acknowledged %d, failed %d, searches %d, failed %d, violations %d%n",
            node,
            to,
            tally.acknowledged.sum(),
            tally.failedWrites.sum(),
            tally.searches.sum(),
            tally.failedSearches.sum(),
            tally.violations.size());
      }
      Thread.sleep(SETTLED.toMillis());
    } finally {
      isOver.set(true);
      for (Thread thread : running) {
        thread.join();
      }
    }
    nodes.proxy().stop();
    nodes.proxy().restartAs(to);
    nodes.healAll();
  }

  private int report(Path home, Tally tally) {
    System.out.printf(
        "acknowledged %d, refused with 429 %d, failed writes %d; searches %d, failed %d, stale %d;"
            + " slowest write %d ms, search %d ms; checked %d, violations %d [seed=%d,"
            + " folder=%s]%n",
        tally.acknowledged.sum(),
        tally.refused.sum(),
        tally.failedWrites.sum(),
        tally.searches.sum(),
        tally.failedSearches.sum(),
        tally.staleSearches.sum(),
        tally.slowestWriteMillis.get(),
        tally.slowestSearchMillis.get(),
        tally.checked.sum(),
        tally.violations.size(),
        common.seed,
        home);
    tally.unexpected.stream().limit(10).forEach(u -> System.out.println("unexpected: " + u));
    tally.violations.stream().limit(20).forEach(v -> System.out.println("violation: " + v));
    boolean isClean =
        tally.violations.isEmpty()
            && tally.unexpected.isEmpty()
            && tally.failedWrites.sum() == 0
            && tally.failedSearches.sum() == 0
            && tally.checked.sum() > 0;
    return isClean ? 0 : 1;
  }
}
