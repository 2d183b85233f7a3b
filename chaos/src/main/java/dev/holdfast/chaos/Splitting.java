package dev.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.client.ClusterLoad;
import dev.holdfast.chaos.client.Expectation;
import dev.holdfast.chaos.client.Tally;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.client.WriteTimes;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast chaos split`: indices of one shard get two, four and eight under load (decision
/// 031), while nodes are killed. Nothing fails, nothing is lost or there twice, and counts are
/// exact at every moment.
@Command(
    name = "split",
    mixinStandardHelpOptions = true,
    description =
        "Splits indices from 1 to 8 shards under bulk clients and readers on an S3 server, kills"
            + " nodes meanwhile, and checks that no request failed, nothing is lost or there twice,"
            + " and every count was exact.")
final class Splitting implements Callable<Integer> {
  private static final String INDEX = "split";

  /// Where those write who look at once for what they wrote.
  private static final String FRESH = INDEX + "-fresh";

  /// Whose documents are written again and again, and none added.
  private static final String COUNTED = "counted";

  private static final int[] STEPS = {2, 4, 8};

  /// About so many nodes are killed before anything is split.
  private static final int KILLS_BEFORE = 4;

  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(150);
  private static final Duration SETTLED = Duration.ofSeconds(10);
  private static final Duration SPLIT_MAX = Duration.ofMinutes(20);

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--indexing", description = "indexing nodes (default: ${DEFAULT-VALUE})")
  private int indexing = 2;

  @Option(names = "--searching", description = "search nodes (default: ${DEFAULT-VALUE})")
  private int searching = 2;

  @Option(names = "--clients", description = "bulk clients (default: ${DEFAULT-VALUE})")
  private int clients = 8;

  @Option(names = "--readers", description = "readers that count (default: ${DEFAULT-VALUE})")
  private int readers = 4;

  @Option(names = "--documents", description = "ids of each client (default: ${DEFAULT-VALUE})")
  private int documentsEach = 2000;

  @Option(names = "--kill-every", description = "seconds; 0: nobody (default: ${DEFAULT-VALUE})")
  private int killSeconds = 20;

  @Option(names = "--port", description = "of the first node (default: ${DEFAULT-VALUE})")
  private int port = 9310;

  private final Tally tally = new Tally();
  private final LongAdder counts = new LongAdder();
  private final LongAdder kills = new LongAdder();
  private WriteTimes before = new WriteTimes();
  private WriteTimes killing = new WriteTimes();
  private WriteTimes during = new WriteTimes();
  private WriteTimes after = new WriteTimes();

  @Override
  public Integer call() throws Exception {
    Path home = common.home();
    System.out.printf(
        "chaos split [indexing=%d, searching=%d, clients=%d, seed=%d, folder=%s]%n",
        indexing, searching, clients, common.seed, home);
    try (StoreServer store = common.startStore(home, NodeAddress.LOOPBACK)) {
      ClusterNodes nodes =
          ClusterNodes.start(common.launcher(), port, home, store, indexing, searching, null);
      try {
        run(nodes);
      } finally {
        nodes.killAll();
      }
    }
    return report(home);
  }

  private void run(ClusterNodes nodes) throws IOException, InterruptedException {
    Http http = new Http(nodes.address(), Duration.ofSeconds(60));
    for (String index : List.of(INDEX, FRESH, COUNTED)) {
      Verification.require(
          "create index", http.send("PUT", "/" + index, ClusterLoad.settings(1, searching)));
    }
    Verification.require("fill", http.send("POST", "/" + COUNTED + "/_bulk?refresh=true", all(0)));
    Expectation[][] documents = Expectation.table(clients, documentsEach);
    Random dice = new Random(common.seed);
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> running = load(nodes, documents, dice, isOver);
    try {
      Thread.sleep(SETTLED.toMillis());
      before = tally.measureWrites();
      Thread.sleep(3 * SETTLED.toMillis());
      killing = tally.measureWrites(); // what kills cost without a split
      AtomicBoolean isSplit = new AtomicBoolean();
      Thread killer = Thread.ofVirtual().name("killer").start(() -> kill(nodes, dice, isSplit));
      try {
        Thread.sleep(Duration.ofSeconds((long) KILLS_BEFORE * killSeconds).toMillis());
        during = tally.measureWrites();
        for (int shards : STEPS) {
          split(http, shards);
        }
      } finally {
        var _ = tally.measureWrites();
        isSplit.set(true);
        killer.join();
      }
      Thread.sleep(SETTLED.toMillis());
      after = tally.measureWrites(); // what eight shards cost without a split
      Thread.sleep(3 * SETTLED.toMillis());
      var _ = tally.measureWrites();
    } finally {
      isOver.set(true);
      for (Thread thread : running) {
        thread.join();
      }
    }
    nodes.healAll();
    new Verification(nodes.address(), INDEX, tally).check(documents);
  }

  /// Every document that is counted.
  private String all(long value) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < documentsEach; i++) {
      body.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      body.append("{\"key\":\"k").append(i).append("\",\"value\":").append(value).append("}\n");
    }
    return body.toString();
  }

  private List<Thread> load(
      ClusterNodes nodes, Expectation[][] documents, Random dice, AtomicBoolean isOver) {
    List<Thread> running =
        ClusterLoad.start(nodes.address(), INDEX, documents, dice, isOver, tally, CLIENT_TIMEOUT);
    Http http = new Http(nodes.address(), CLIENT_TIMEOUT);
    for (int i = 0; i < readers; i++) {
      running.add(Thread.ofVirtual().name("counter-" + i).start(() -> countAll(http, isOver)));
    }
    running.add(Thread.ofVirtual().name("rewriter").start(() -> writeAll(http, isOver)));
    return running;
  }

  /// Each count is exact: no document is added, none is deleted.
  private void countAll(Http http, AtomicBoolean isOver) {
    while (!isOver.get()) {
      try {
        Http.Reply reply = http.get("/" + COUNTED + "/_count");
        JsonNode shards = reply.body().path("_shards");
        if (reply.status() != 200 || shards.path("failed").asInt() > 0) {
          tally.unexpected.add("a count failed: " + reply);
        } else if (reply.body().path("count").asInt() != documentsEach) {
          tally.violations.add("a count is not " + documentsEach + ": " + reply.body());
        }
        counts.increment();
      } catch (IOException e) {
        tally.unexpected.add("a count failed: " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void writeAll(Http http, AtomicBoolean isOver) {
    for (long value = 1; !isOver.get(); value++) {
      try {
        Http.Reply reply = http.send("POST", "/" + COUNTED + "/_bulk?refresh=true", all(value));
        if (reply.status() != 200 || reply.body().path("errors").asBoolean()) {
          tally.unexpected.add("a bulk failed: " + reply.status());
        }
      } catch (IOException e) {
        tally.unexpected.add("a bulk failed: " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void kill(ClusterNodes nodes, Random dice, AtomicBoolean isSplit) {
    try {
      while (killSeconds > 0 && !isSplit.get()) {
        Thread.sleep(Duration.ofSeconds(killSeconds).toMillis());
        NodeProcess node = nodes.random(dice);
        Tally.tell("kill -9 " + node);
        node.kill();
        kills.increment();
        node.restart();
      }
    } catch (IOException e) {
      tally.unexpected.add("a node does not start again: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void split(Http http, int shards) throws IOException, InterruptedException {
    long beginNanos = System.nanoTime();
    List<String> indices = List.of(INDEX, FRESH, COUNTED);
    for (String index : indices) {
      Verification.require(
          "reshard",
          http.send("POST", "/" + index + "/_reshard", "{\"number_of_shards\":" + shards + "}"));
    }
    for (String index : indices) {
      while (!isSplit(http, index)) {
        if (System.nanoTime() - beginNanos > SPLIT_MAX.toNanos()) {
          throw new IOException(index + " does not get its " + shards + " shards");
        }
        Thread.sleep(200);
      }
    }
    System.out.printf(
        "%d shards after %d s; acknowledged %d, failed %d, counts %d, kills %d, violations %d%n",
        shards,
        (System.nanoTime() - beginNanos) / 1_000_000_000,
        tally.acknowledged.sum(),
        tally.failedWrites.sum(),
        counts.sum(),
        kills.sum(),
        tally.violations.size());
  }

  private static boolean isSplit(Http http, String index) throws IOException, InterruptedException {
    Http.Reply reply = http.get("/" + index + "/_reshard");
    return Verification.require("look at the split", reply).path("completed").asBoolean();
  }

  private int report(Path home) {
    System.out.println("bulks before: " + before);
    if (killSeconds > 0) {
      System.out.println("bulks while nodes are killed: " + killing);
    }
    System.out.println("bulks during the split: " + during);
    System.out.println("bulks after it: " + after);
    System.out.printf(
        "acknowledged %d, refused with 429 %d, failed writes %d; counts %d; searches %d, failed %d,"
            + " stale %d; slowest write %d ms; kills %d; checked %d, violations %d [seed=%d,"
            + " folder=%s]%n",
        tally.acknowledged.sum(),
        tally.refused.sum(),
        tally.failedWrites.sum(),
        counts.sum(),
        tally.searches.sum(),
        tally.failedSearches.sum(),
        tally.staleSearches.sum(),
        tally.slowestWriteMillis.get(),
        kills.sum(),
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
            && tally.staleSearches.sum() == 0
            && counts.sum() > 0
            && tally.checked.sum() > 0;
    return isClean ? 0 : 1;
  }
}
