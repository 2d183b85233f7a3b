package dev.holdfast.benchmark.process;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.benchmark.report.Chart;
import dev.holdfast.benchmark.report.LatencyPercentiles;
import dev.holdfast.benchmark.report.Machine;
import dev.holdfast.benchmark.report.Table;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast benchmark figure-13`: the paper's figure 13 (§8.2), an indexing tier that follows a
/// load. A proxy starts and stops nodes as processes over a real S3 server, each indexing node with
/// a share of the processors; clients write bulks at a steady pace, and there are more and more of
/// them, then fewer. A search is asked every second. Writes `figure-13.csv` and `figure-13.png`:
/// nodes and latency over time; exits with 1 when the tier did not grow to as many nodes as it may
/// have and shrink to one, when a request failed, when a document was lost, or when p99 around a
/// change of nodes is more than 3 × that of the rest.
@Command(
    name = "figure-13",
    mixinStandardHelpOptions = true,
    description = "An indexing tier that grows and shrinks with its load (figure 13).")
public final class Figure13 implements Callable<Integer> {
  private static final int BODIES = 64;
  private static final double EVENT_RATIO_MAX = 3;

  /// Of a change of nodes: a node that comes takes shards, one that goes has given them away.
  private static final int EVENT_SECONDS = 10;

  private static final Duration SHRINK_MAX = Duration.ofMinutes(5);
  private static final Duration START_MAX = Duration.ofMinutes(5);
  private static final int MEASURING_CLIENTS = 8;
  private static final int MEASURED_SECONDS = 20;
  private static final double BUSY = 0.8;
  private static final long PAUSE_MILLIS = 500;

  /// How the names of nodes begin that index: where neither tier had a node, the first is in both.
  private static final List<String> TIER = List.of("elastic-index-", "elastic-both-");

  /// As many as a share has at most; the provisioner hands it on.
  private static final String ONE_PROCESSOR = "-XX:ActiveProcessorCount=1";

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--seconds", description = "of the load (default: ${DEFAULT-VALUE})")
  private int seconds = 600;

  @Option(
      names = "--clients",
      description = "at the peak (default: as many as keep the most nodes busy, which is measured)")
  private int clients = 0;

  @Option(
      names = "--warm-seconds",
      description = "until it is measured what a node can do (default: ${DEFAULT-VALUE})")
  private int warmSeconds = 60;

  @Option(
      names = "--pace",
      description = "ms from a client's bulk to its next (default: ${DEFAULT-VALUE})")
  private int paceMillis = 1000;

  @Option(names = "--nodes", description = "of the tier at most (default: ${DEFAULT-VALUE})")
  private int nodesMax = 4;

  @Option(
      names = "--quiet-seconds",
      description = "autoscaling.quiet_time (default: ${DEFAULT-VALUE})")
  private int quietSeconds = 20;

  @Option(names = "--cores", description = "of each indexing node (default: ${DEFAULT-VALUE})")
  private double cores = 0.25;

  @Option(names = "--heap", description = "of each node (default: ${DEFAULT-VALUE})")
  private String heap = "512m";

  @Option(names = "--bulk", description = "documents (default: ${DEFAULT-VALUE})")
  private int bulk = 200;

  @Option(names = "--shards", description = "(default: ${DEFAULT-VALUE})")
  private int shards = 4;

  @Option(names = "--port", description = "of the proxy (default: ${DEFAULT-VALUE})")
  private int port = 9310;

  @Option(names = "--out", description = "folder for the results (default: ${DEFAULT-VALUE})")
  private Path out = Path.of(".");

  private final List<Second> course = new ArrayList<>();
  private final AtomicInteger searchesFailed = new AtomicInteger();

  /// What was seen in a second.
  private record Second(int clients, int nodes, BulkLoad.Sample sample) {}

  @Override
  public Integer call() throws Exception {
    String machine = Machine.words();
    System.out.println(machine);
    Path home = common.home();
    System.out.println("data and logs in " + home);
    boolean hasAll;
    try (HoldfastNodes nodes = new HoldfastNodes(common, home, port, heap)) {
      NodeProcess proxy =
          nodes.start(
              "proxy", "proxy", List.of(), ONE_PROCESSOR, "autoscaling.provisioner=process");
      hasAll = follow(proxy);
    }
    write(machine);
    boolean isFollowed = verdict();
    return hasAll && isFollowed && searchesFailed.get() == 0 ? 0 : 1;
  }

  private boolean follow(NodeProcess proxy) throws Exception {
    String address = proxy.place().address();
    Http http = new Http(address, Duration.ofSeconds(60));
    IndexedEvents events = new IndexedEvents(address);
    BulkLoad.Sample all = new BulkLoad.Sample();
    try (ElasticShares _ =
        new ElasticShares(proxy.data().resolve("elastic"), Figure13::isIndexing, cores)) {
      limit(http, 1);
      events.create(shards, 1);
      awaitSearch(http);
      if (clients == 0) {
        clients = measure(address, all);
      }
      limit(http, nodesMax);
      try (ExecutorService searches = Executors.newVirtualThreadPerTaskExecutor();
          BulkLoad load =
              new BulkLoad(
                  List.of(address),
                  EventBulks.bodies(BODIES, bulk, common.seed),
                  bulk,
                  Duration.ofMillis(paceMillis),
                  clients)) {
        LoadHump hump = new LoadHump(clients, seconds);
        long beginNanos = System.nanoTime();
        long endNanos = beginNanos + Duration.ofSeconds(seconds).toNanos();
        boolean isOver = false;
        for (int second = 0; !isOver; second++) {
          int many = hump.clients(second);
          load.clients(many);
          long pauseNanos =
              beginNanos + Duration.ofSeconds(second + 1L).toNanos() - System.nanoTime();
          Thread.sleep(Duration.ofNanos(Math.max(0, pauseNanos)));
          course.add(new Second(many, nodes(http), load.take()));
          all.add(course.getLast().sample);
          var _ = searches.submit(() -> countSearch(http));
          tell(second);
          long now = System.nanoTime();
          isOver =
              now > endNanos + SHRINK_MAX.toNanos()
                  || (now > endNanos && course.getLast().nodes <= 1);
        }
        load.end();
        all.add(load.take());
      }
      boolean hasAll = events.hasAll("at the end", all);
      proxy.stop(); // and what it has started
      return hasAll;
    }
  }

  private void limit(Http http, int most) throws IOException, InterruptedException {
    String settings =
        String.format(
            Locale.ROOT,
            "{\"persistent\":{\"autoscaling.index.max_nodes\":%d,\"autoscaling.search.max_nodes\":1,"
                + "\"autoscaling.quiet_time\":\"%ds\",\"autoscaling.step_interval\":\"5s\"}}",
            most,
            quietSeconds);
    Verification.require("settings", http.send("PUT", "/_cluster/settings", settings));
  }

  /// How many clients keep the most nodes busy for four fifths of the time, by what one node can
  /// do.
  private int measure(String address, BulkLoad.Sample all) throws InterruptedException {
    try (BulkLoad load =
        new BulkLoad(
            List.of(address),
            EventBulks.bodies(BODIES, bulk, common.seed),
            bulk,
            Duration.ZERO,
            MEASURING_CLIENTS)) {
      load.clients(MEASURING_CLIENTS);
      Thread.sleep(Duration.ofSeconds(warmSeconds));
      all.add(load.take());
      Thread.sleep(Duration.ofSeconds(MEASURED_SECONDS));
      BulkLoad.Sample sample = load.take();
      all.add(sample);
      load.end();
      all.add(load.take());
      double each = (double) bulk * 1000 / paceMillis;
      double one = sample.documents / (double) MEASURED_SECONDS;
      int most = (int) Math.ceil(BUSY * nodesMax * one / each);
      System.out.printf(
          Locale.ROOT,
          "one node takes %.0f documents a s: %d clients at the peak, of %.0f each%n",
          one,
          most,
          each);
      return Math.max(2, most);
    }
  }

  private static boolean isIndexing(String node) {
    return TIER.stream().anyMatch(node::startsWith);
  }

  /// As long as nobody answers, those that were there before.
  private int nodes(Http http) throws InterruptedException {
    try {
      int nodes = 0;
      for (JsonNode member : http.get("/_cat/nodes?format=json&h=name").body()) {
        nodes += isIndexing(member.path("name").asText()) ? 1 : 0;
      }
      return nodes;
    } catch (IOException e) {
      System.out.println("how many nodes there are is not known: " + e);
      return course.isEmpty() ? 0 : course.getLast().nodes;
    }
  }

  private void countSearch(Http http) {
    try {
      String why = search(http);
      if (!why.isEmpty()) {
        var _ = searchesFailed.incrementAndGet();
        System.out.println("a search failed: " + why);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Says why a search failed; empty when it did not.
  private static String search(Http http) throws InterruptedException {
    try {
      Http.Reply reply =
          http.send(
              "POST",
              "/" + EventBulks.INDEX + "/_search",
              "{\"size\":1,\"query\":{\"term\":{\"type\":\"ForkEvent\"}}}");
      boolean isWhole = reply.body().at("/_shards/failed").asInt(1) == 0;
      return reply.status() == 200 && isWhole ? "" : reply.toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// The tiers' first nodes are part of no measurement.
  private static void awaitSearch(Http http) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + START_MAX.toNanos();
    for (String why = search(http); !why.isEmpty(); why = search(http)) {
      if (System.nanoTime() > endNanos) {
        throw new IOException("no search is answered: " + why);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private void tell(int second) {
    Second now = course.getLast();
    if (second == 0 || now.nodes != course.get(second - 1).nodes) {
      System.out.printf(
          Locale.ROOT,
          "%d s: %d clients, %d indexing nodes, p99 %.0f ms%n",
          second,
          now.clients,
          now.nodes,
          now.sample.percentile(0.99));
    }
  }

  private void write(String machine) throws IOException {
    Table table =
        new Table(
            "second",
            "clients",
            "indexing nodes",
            "documents a s",
            "p50 ms",
            "p99 ms",
            "refused",
            "failed");
    for (int second = 0; second < course.size(); second++) {
      Second its = course.get(second);
      table.add(
          Integer.toString(second),
          its.clients,
          its.nodes,
          (double) its.sample.documents,
          its.sample.percentile(0.5),
          its.sample.percentile(0.99),
          (double) its.sample.refused,
          (double) its.sample.failed);
    }
    Files.createDirectories(out);
    table.write(out.resolve("figure-13.csv"));
    String note =
        String.format(
            Locale.ROOT,
            "%.2f cores an indexing node, %d shards, bulks of %d; %s",
            cores,
            shards,
            bulk,
            machine);
    new Chart(
            "An indexing tier that follows its load",
            note,
            "seconds",
            table.names(),
            List.of(
                table.curve("clients"),
                table.curve("indexing nodes"),
                table.curve("documents a s"),
                table.curve("p50 ms"),
                table.curve("p99 ms"),
                table.curve("refused")))
        .write(out.resolve("figure-13.png"));
    System.out.println("curves in " + out);
  }

  private boolean verdict() {
    List<Double> steady = new ArrayList<>();
    List<Double> around = new ArrayList<>();
    for (int second = 0; second < course.size(); second++) {
      (isAroundChange(second) ? around : steady).addAll(course.get(second).sample.millis);
    }
    int most = course.stream().mapToInt(Second::nodes).max().orElse(0);
    int last = course.getLast().nodes;
    double ratio = LatencyPercentiles.of(around, 0.99) / LatencyPercentiles.of(steady, 0.99);
    System.out.printf(
        Locale.ROOT,
        "%d nodes at most, %d at the end; p99 %.0f ms around changes, %.0f ms else: %.1f x (wanted:"
            + " at most %.0f); %d searches failed%n",
        most,
        last,
        LatencyPercentiles.of(around, 0.99),
        LatencyPercentiles.of(steady, 0.99),
        ratio,
        EVENT_RATIO_MAX,
        searchesFailed.get());
    return most == nodesMax && last == 1 && ratio <= EVENT_RATIO_MAX;
  }

  private boolean isAroundChange(int second) {
    int from = Math.max(1, second - EVENT_SECONDS);
    int to = Math.min(course.size() - 1, second + EVENT_SECONDS);
    for (int at = from; at <= to; at++) {
      if (course.get(at).nodes != course.get(at - 1).nodes) {
        return true;
      }
    }
    return false;
  }
}
