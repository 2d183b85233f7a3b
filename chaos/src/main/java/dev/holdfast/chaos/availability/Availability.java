package dev.holdfast.chaos.availability;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast chaos availability`: what clients outside see of each kind of event. Probers write,
/// get and search all the time, through the proxy and through every node; for each event and kind
/// of request the longest time without a success and the failed requests are printed.
@Command(
    name = "availability",
    mixinStandardHelpOptions = true,
    description =
        "Kills, freezes, drains, stops and adds nodes of a cluster, one after the other, and prints"
            + " for how long writes, gets and searches had no success.")
public final class Availability implements Callable<Integer> {
  private static final Duration SETTLED_MAX = Duration.ofMinutes(3);

  /// A stream with a success in this time works.
  private static final Duration LATELY = Duration.ofMillis(1_500);

  private static final double MONTH_SECONDS = 30 * 86_400.0;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--events", description = "of each kind (default: ${DEFAULT-VALUE})")
  private int events = 5;

  @Option(
      names = "--kind",
      split = ",",
      description = "kinds of events: ${COMPLETION-CANDIDATES} (default: all)")
  private List<AvailabilityEvent> kinds = AvailabilityEvent.CHOICE;

  @Option(names = "--indexing", description = "indexing nodes (default: ${DEFAULT-VALUE})")
  private int indexing = 2;

  @Option(names = "--searching", description = "search nodes (default: ${DEFAULT-VALUE})")
  private int searching = 2;

  @Option(
      names = "--every-millis",
      description =
          "between requests of a kind to an index through the proxy; through other nodes four times"
              + " as long (default: ${DEFAULT-VALUE})")
  private int everyMillis = 100;

  @Option(
      names = "--pause-seconds",
      description = "of a node that is frozen or stays dead, at least (default: ${DEFAULT-VALUE})")
  private int pauseSeconds = 20;

  @Option(
      names = "--steady-seconds",
      description = "without a break until an event counts as over (default: ${DEFAULT-VALUE})")
  private int steadySeconds = 5;

  @Option(
      names = "--settle-seconds",
      description =
          "without a break before an event, and until a restart counts as over (default:"
              + " ${DEFAULT-VALUE})")
  private int settleSeconds = 3;

  @Option(
      names = "--cost-seconds",
      description =
          "measures for so long, at the end, what the idle cluster asks of the store for its state"
              + " (default: ${DEFAULT-VALUE})")
  private int costSeconds = 0;

  @Option(names = "--port", description = "of the first node (default: ${DEFAULT-VALUE})")
  private int port = 9300;

  private final Map<AvailabilityEvent, List<Happened>> happened =
      new EnumMap<>(AvailabilityEvent.class);

  /// @param servesMillis from the start of a process to its first answers of each kind; 0: none
  /// @param stopMillis from SIGTERM to the end of the process; 0: none
  private record Happened(Map<ProbeKind, Probes.Seen> seen, long servesMillis, long stopMillis) {
    Probes.Seen by(ProbeKind kind) {
      return Objects.requireNonNull(seen.get(kind));
    }
  }

  @Override
  public Integer call() throws Exception {
    Path home = common.home();
    System.out.printf(
        "availability [indexing=%d, searching=%d, events=%d, every=%d ms, seed=%d, folder=%s]%n",
        indexing, searching, events, everyMillis, common.seed, home);
    try (StoreServer store = common.startStore(home, NodeAddress.LOOPBACK)) {
      ClusterNodes nodes =
          ClusterNodes.start(common.launcher(), port, home, store, indexing, searching, null);
      try {
        probe(nodes, home, store);
      } finally {
        nodes.killAll();
      }
    }
    report();
    return 0;
  }

  private void probe(ClusterNodes nodes, Path home, StoreServer store)
      throws IOException, InterruptedException {
    List<String> indices = new ArrayList<>();
    for (int i = 0; i < indexing; i++) {
      indices.add("probe-" + i);
      create(nodes, "probe-" + i);
    }
    nodes.healAll();
    Random dice = new Random(common.seed);
    try (Probes probes =
        new Probes(
            nodes, indices, Duration.ofMillis(everyMillis), Duration.ofMillis(4L * everyMillis))) {
      for (int i = 0; i < events; i++) {
        for (AvailabilityEvent kind : kinds) {
          settle(nodes, probes);
          if (kind.deed() == AvailabilityEvent.Deed.JOIN) {
            join(kind, nodes, probes, port + 1 + indexing + searching, home, store);
          } else {
            happen(kind, kind.victim(nodes, dice), nodes, probes);
          }
        }
      }
      settle(nodes, probes);
    }
    if (costSeconds > 0) {
      cost(nodes);
    }
  }

  private static void create(ClusterNodes nodes, String index)
      throws IOException, InterruptedException {
    Http http = new Http(nodes.address(), Duration.ofSeconds(60));
    Verification.require(
        "create index",
        http.send(
            "PUT",
            "/" + index,
            "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":2,\"refresh_interval\":\"1s\"},\"mappings\":{\"properties\":"
                + "{\"name\":{\"type\":\"keyword\"},\"value\":{\"type\":\"long\"}}}}"));
    for (int id = 0; id < 10; id++) {
      String path = "/" + index + "/_doc/probe-" + id + "?refresh=true";
      Http.Reply reply = http.send("PUT", path, "{\"name\":\"probe\"}");
      if (!ProbeKind.WRITE.isGood(reply)) {
        throw new IOException("the first documents: " + reply);
      }
    }
  }

  private void settle(ClusterNodes nodes, Probes probes) throws IOException, InterruptedException {
    do {
      nodes.healAll();
      probes.awaitGood(
          LATELY, Duration.ofSeconds(settleSeconds), SETTLED_MAX, () -> nodes.startDead(null));
    } while (hasTakenLeadFromProxy(nodes));
  }

  /// A proxy that leads is started again: clients talk to it, so nothing else may happen to it.
  private static boolean hasTakenLeadFromProxy(ClusterNodes nodes)
      throws IOException, InterruptedException {
    if (nodes.leader() != nodes.proxy()) {
      return false;
    }
    nodes.proxy().stop();
    nodes.proxy().restart();
    return true;
  }

  private void happen(AvailabilityEvent kind, NodeProcess node, ClusterNodes nodes, Probes probes)
      throws IOException, InterruptedException {
    probes.begin();
    long beginNanos = System.nanoTime();
    long stopMillis = 0;
    if (kind.deed() != AvailabilityEvent.Deed.DRAIN) {
      probes.pause(node);
    }
    switch (kind.deed()) {
      case KILL -> node.kill();
      case FREEZE -> {
        node.freeze();
        Thread.sleep(Duration.ofSeconds(pauseSeconds));
        node.thaw();
      }
      case DRAIN ->
          Verification.require(
              "drain",
              new Http(nodes.address(), Duration.ofSeconds(90))
                  .send("POST", "/_nodes/" + node + "/_drain", ""));
      case STOP -> {
        node.stop();
        stopMillis = (System.nanoTime() - beginNanos) / 1_000_000;
      }
      default -> throw new IllegalStateException("not for a running node: " + kind);
    }
    Duration steady = Duration.ofSeconds(steadySeconds);
    // Others may have been evicted, too: a supervisor would start them again.
    probes.awaitGood(LATELY, steady, SETTLED_MAX, () -> nodes.startDead(node));
    if (kind.deed() == AvailabilityEvent.Deed.FREEZE) {
      nodes.rejoin(node);
      probes.goOn(node);
      probes.awaitGood(LATELY, steady, SETTLED_MAX, () -> nodes.startDead(null));
    }
    note(kind, node.toString(), new Happened(probes.end(), 0, stopMillis));
    if (kind.deed() == AvailabilityEvent.Deed.FREEZE) {
      return;
    }
    if (kind.deed() == AvailabilityEvent.Deed.DRAIN) {
      probes.pause(node);
      node.stop();
    }
    probes.begin();
    node.restart();
    long serves = serves(node, node.startMillis());
    probes.goOn(node);
    probes.awaitGood(
        LATELY, Duration.ofSeconds(settleSeconds), SETTLED_MAX, () -> nodes.startDead(null));
    note(AvailabilityEvent.RESTART, node.toString(), new Happened(probes.end(), serves, 0));
  }

  private void join(
      AvailabilityEvent kind,
      ClusterNodes nodes,
      Probes probes,
      int atPort,
      Path home,
      StoreServer store)
      throws IOException, InterruptedException {
    probes.begin();
    NodeProcess added = nodes.add(common.launcher(), atPort, home, store, kind.role());
    try {
      long serves = serves(added, added.startMillis());
      nodes.healAll();
      probes.awaitGood(
          LATELY, Duration.ofSeconds(steadySeconds), SETTLED_MAX, () -> nodes.startDead(null));
      note(kind, added.toString(), new Happened(probes.end(), serves, 0));
    } finally {
      added.stop();
    }
  }

  /// Milliseconds from the start of its process to its first answers of every kind.
  private static long serves(NodeProcess node, long startMillis) throws InterruptedException {
    Http http = new Http(node.place().address(), Duration.ofSeconds(60));
    long beginNanos = System.nanoTime();
    for (ProbeKind kind : ProbeKind.values()) {
      while (!isGood(http, kind)) {
        Thread.sleep(20);
      }
    }
    return startMillis + (System.nanoTime() - beginNanos) / 1_000_000;
  }

  private static boolean isGood(Http http, ProbeKind kind) throws InterruptedException {
    try {
      return kind.isGood(http.send(kind.method(), kind.path("probe-0", "probe-0"), kind.body(0)));
    } catch (IOException e) {
      return false;
    }
  }

  private void note(AvailabilityEvent kind, String node, Happened one) {
    happened.computeIfAbsent(kind, _ -> new ArrayList<>()).add(one);
    StringBuilder line = new StringBuilder();
    LocalTime now = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    line.append(now.format(DateTimeFormatter.ISO_LOCAL_TIME)); // with its seconds, even if 0
    line.append(' ').append(kind).append(' ').append(node).append(':');
    one.seen()
        .forEach((probe, seen) ->
            line.append(
                String.format(
                    " %s none for %d ms (proxy %d, nodes %d), slowest %d ms, failed %d;",
                    probe,
                    seen.gapMillis(),
                    seen.proxyGapMillis(),
                    seen.nodeGapMillis(),
                    seen.slowestMillis(),
                    seen.failed())));
    if (one.servesMillis() > 0) {
      line.append(" served after ").append(one.servesMillis()).append(" ms");
    }
    if (one.stopMillis() > 0) {
      line.append(" stopped after ").append(one.stopMillis()).append(" ms");
    }
    System.out.println(line);
    one.seen()
        .values()
        .forEach(
            seen -> seen.reasons().stream().limit(3).forEach(w -> System.out.println("  " + w)));
  }

  private void report() {
    happened.forEach((kind, list) -> {
      System.out.printf("%n%s, %d events; median / p99 / longest%n", kind, list.size());
      for (ProbeKind probe : ProbeKind.values()) {
        System.out.printf(
            "  %-6s without a success %s ms, slowest %s ms, failed %d%n",
            probe,
            spread(list.stream().map(one -> one.by(probe).gapMillis()).toList()),
            spread(list.stream().map(one -> one.by(probe).slowestMillis()).toList()),
            list.stream().mapToInt(one -> one.by(probe).failed()).sum());
      }
      if (list.getFirst().servesMillis() > 0) {
        System.out.printf(
            "  served after %s ms%n", spread(list.stream().map(Happened::servesMillis).toList()));
      }
      if (list.getFirst().stopMillis() > 0) {
        System.out.printf(
            "  stopped after %s ms%n", spread(list.stream().map(Happened::stopMillis).toList()));
      }
    });
  }

  /// Median, 99th percentile and the greatest.
  public static String spread(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    long median = sorted.get(sorted.size() / 2);
    long p99 = sorted.get((int) Math.min(sorted.size() - 1L, sorted.size() * 99L / 100));
    return median + " / " + p99 + " / " + sorted.getLast();
  }

  /// What keeping the cluster together costs while nothing happens.
  private void cost(ClusterNodes nodes) throws IOException, InterruptedException {
    double before = dollars(nodes);
    Thread.sleep(Duration.ofSeconds(costSeconds));
    double month = (dollars(nodes) - before) / costSeconds * MONTH_SECONDS;
    System.out.printf("%nidle: cluster state asks the store for $%.2f a month%n", month);
  }

  private static double dollars(ClusterNodes nodes) throws IOException, InterruptedException {
    JsonNode all = new Http(nodes.address(), Duration.ofSeconds(30)).get("/_holdfast/store").body();
    return all.path("by_purpose").path("cluster_state").path("dollars").asDouble();
  }
}
