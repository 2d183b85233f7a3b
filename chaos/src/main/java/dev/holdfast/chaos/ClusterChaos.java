package dev.holdfast.chaos;

import dev.holdfast.chaos.availability.Availability;
import dev.holdfast.chaos.client.ClusterLoad;
import dev.holdfast.chaos.client.Expectation;
import dev.holdfast.chaos.client.PauseProbe;
import dev.holdfast.chaos.client.Rivals;
import dev.holdfast.chaos.client.Tally;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.network.ClusterNetwork;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.network.PrivateNetwork;
import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./holdfast chaos cluster`: a cluster of real processes on a real S3 server, whose nodes are
/// killed, frozen and restarted while clients write and search through the proxy.
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description =
        "Runs indexing, search and proxy nodes on one S3 server, disrupts them one after the other"
            + " under load, and checks that nothing acknowledged is lost and no search is stale.")
final class ClusterChaos implements Callable<Integer> {
  private static final String INDEX = "chaos";

  /// Clients that write the same few documents.
  private static final int RIVALS = 4;

  /// A request may outlive several disruptions within the cluster; the client waits longer than any
  /// node tries, so that what has failed has ended.
  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(150);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--minutes", description = "how long (default: ${DEFAULT-VALUE})")
  private double minutes = 10;

  @Option(names = "--indexing", description = "indexing nodes (default: ${DEFAULT-VALUE})")
  private int indexing = 2;

  @Option(names = "--searching", description = "search nodes (default: ${DEFAULT-VALUE})")
  private int searching = 2;

  @Option(names = "--clients", description = "bulk clients (default: ${DEFAULT-VALUE})")
  private int clients = 4;

  @Option(names = "--documents", description = "ids of each client (default: ${DEFAULT-VALUE})")
  private int documentsEach = 500;

  @Option(
      names = "--pause-seconds",
      description = "of a frozen or cut off node (default: ${DEFAULT-VALUE})")
  private int pauseSeconds = 30;

  @Option(names = "--port", description = "of the first node (default: ${DEFAULT-VALUE})")
  private int port = 9270;

  @Option(
      names = "--disruptions",
      split = ",",
      description = "kinds to choose from: ${COMPLETION-CANDIDATES} (default: all that can be)")
  private List<Disruption> disruptions = List.of();

  @Option(
      names = "--network",
      description =
          "each node gets a network namespace, and packets between them are lost or late (Linux,"
              + " root)")
  private boolean hasNetwork = false;

  @Option(
      names = "--quiet-seconds",
      description = "load without disruptions at the beginning (default: ${DEFAULT-VALUE})")
  private int quietSeconds = 0;

  /// How long each disruption kept an idle shard from acknowledging a write.
  private final Map<Disruption, List<Long>> pauses = new EnumMap<>(Disruption.class);

  @Override
  public Integer call() throws Exception {
    if (disruptions.isEmpty()) {
      disruptions = hasNetwork ? List.of(Disruption.values()) : Disruption.OF_PROCESSES;
    }
    if (!hasNetwork && disruptions.stream().anyMatch(Disruption::isOfNetwork)) {
      throw new ParameterException(
          spec.commandLine(), "disruptions of the network need --network " + disruptions);
    }
    if (hasNetwork && !PrivateNetwork.isInside()) {
      Optional<String> missing = PrivateNetwork.missing();
      if (missing.isPresent()) {
        System.err.println(missing.get());
        return 2;
      }
      return PrivateNetwork.run(
          common.launcher(),
          Chaos.class,
          spec.root().commandLine().getParseResult().originalArgs());
    }
    if (PrivateNetwork.isInside()) {
      PrivateNetwork.endWithOutside();
    }
    return disrupt();
  }

  private int disrupt() throws IOException, InterruptedException {
    Path home = common.home();
    System.out.printf(
        "chaos cluster [indexing=%d, searching=%d, minutes=%s, clients=%d, network=%s, seed=%d,"
            + " folder=%s]%n",
        indexing, searching, minutes, clients, hasNetwork, common.seed, home);
    Tally tally = new Tally();
    ClusterNetwork network = hasNetwork ? ClusterNetwork.create(indexing + searching) : null;
    String storeHost = network == null ? NodeAddress.LOOPBACK : ClusterNetwork.storeHost();
    try (StoreServer store = common.startRefusingStore(home, storeHost)) {
      ClusterNodes nodes =
          ClusterNodes.start(common.launcher(), port, home, store, indexing, searching, network);
      try {
        run(nodes, new HarmedStore(nodes, store, tally), tally);
      } finally {
        nodes.killAll();
      }
    }
    if (network != null) {
      System.out.println(network);
    }
    return report(home, tally);
  }

  private void run(ClusterNodes nodes, HarmedStore harmed, Tally tally)
      throws IOException, InterruptedException {
    harmed.fill(common.seed);
    Http.Reply created =
        new Http(nodes.address(), Duration.ofSeconds(60))
            .send("PUT", "/" + INDEX, ClusterLoad.settings(2, searching));
    Verification.require("create index", created);
    Expectation[][] documents = Expectation.table(clients, documentsEach);
    Random dice = new Random(common.seed);
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> running =
        ClusterLoad.start(nodes.address(), INDEX, documents, dice, isOver, tally, CLIENT_TIMEOUT);
    Rivals rivals = new Rivals(INDEX, tally);
    Verification.require(
        "create index of rivals",
        new Http(nodes.address(), Duration.ofSeconds(60))
            .send(
                "PUT",
                "/" + rivals.index(),
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1}}"));
    for (int i = 0; i < RIVALS; i++) {
      Runnable rival = rivals.client(nodes.address(), dice.nextLong(), isOver);
      running.add(Thread.ofVirtual().name("rival-" + i).start(rival));
    }
    List<PauseProbe> probes = new ArrayList<>();
    for (int i = 0; i < indexing; i++) {
      PauseProbe probe = new PauseProbe(i, nodes.address(), INDEX, isOver, tally);
      probes.add(probe);
      running.add(Thread.ofVirtual().name("probe-" + i).start(probe));
    }
    Thread.sleep(Duration.ofSeconds(quietSeconds));
    if (quietSeconds > 0 && !tally.refreshMillis.isEmpty()) {
      System.out.printf(
          "%d s without disruptions: acknowledged %d; refresh=true: %d, median / p99 / longest %s"
              + " ms%n",
          quietSeconds,
          tally.acknowledged.sum(),
          tally.refreshMillis.size(),
          Availability.spread(List.copyOf(tally.refreshMillis)));
      tally.refreshMillis.clear();
    }
    long endNanos = System.nanoTime() + (long) (minutes * 60e9);
    int disrupted = 0;
    Deque<Disruption> ahead = new ArrayDeque<>();
    while (System.nanoTime() < endNanos && tally.violations.isEmpty()) {
      Thread.sleep(1_000 + dice.nextInt(4_000));
      if (ahead.isEmpty()) {
        List<Disruption> shuffled = new ArrayList<>(disruptions);
        Collections.shuffle(shuffled, dice);
        ahead.addAll(shuffled);
      }
      Disruption disruption = ahead.remove();
      disrupted++;
      for (PauseProbe probe : probes) {
        long _ = probe.takeSlowestMillis();
      }
      System.out.print(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " ");
      disruption.happen(nodes, harmed, dice, Duration.ofSeconds(pauseSeconds));
      long pauseMillis = 0;
      for (PauseProbe probe : probes) {
        pauseMillis = Math.max(pauseMillis, probe.takeSlowestMillis());
      }
      pauses.computeIfAbsent(disruption, _ -> new ArrayList<>()).add(pauseMillis);
      System.out.printf(
          "%d disruptions: %s paused an idle shard for %d ms; acknowledged %d, refused %d, failed"
              + " %d, searches %d, failed %d, told of the store %d, violations %d%n",
          disrupted,
          disruption,
          pauseMillis,
          tally.acknowledged.sum(),
          tally.refused.sum(),
          tally.failedWrites.sum(),
          tally.searches.sum(),
          tally.failedSearches.sum(),
          tally.excused.sum(),
          tally.violations.size());
    }
    isOver.set(true);
    for (Thread thread : running) {
      thread.join();
    }
    nodes.healAll();
    rivals.judge();
    System.out.printf("%d calls of %d rivals are judged%n", rivals.calls(), RIVALS);
    System.out.println(harmed);
    new Verification(nodes.address(), INDEX, tally).check(documents);
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
    System.out.printf(
        "told of a store that failed %d; refresh=true: %d, median / p99 / longest %s ms%n",
        tally.excused.sum(),
        tally.refreshMillis.size(),
        tally.refreshMillis.isEmpty()
            ? "none"
            : Availability.spread(List.copyOf(tally.refreshMillis)));
    pauses.forEach((disruption, millis) ->
        System.out.println(
            "pauses of an idle shard by "
                + disruption
                + " [ms]: "
                + millis.stream().sorted().toList()));
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
