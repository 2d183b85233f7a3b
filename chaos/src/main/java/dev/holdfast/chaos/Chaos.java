package dev.holdfast.chaos;

import dev.holdfast.chaos.availability.Availability;
import dev.holdfast.chaos.client.BulkClient;
import dev.holdfast.chaos.client.Expectation;
import dev.holdfast.chaos.client.Tally;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.damage.BitFlips;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StoreProxy;
import dev.holdfast.chaos.node.StoreServer;
import dev.holdfast.chaos.scaling.ScaleToZero;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./holdfast chaos`: kills a node again and again under load, or takes its store away, and counts
/// what was lost.
@Command(
    name = "chaos",
    subcommands = {
      ClusterChaos.class,
      Availability.class,
      BitFlips.class,
      ScaleToZero.class,
      Upgrade.class,
      Splitting.class
    },
    mixinStandardHelpOptions = true,
    description =
        "Kills a node with kill -9 under 8 bulk clients, round after round, and checks that nothing"
            + " acknowledged is lost.")
public final class Chaos implements Callable<Integer> {
  private static final String INDEX = "chaos";

  /// Where the writers that come during an outage write.
  private static final String KNOCK = "knock";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--rounds", description = "kills (default: ${DEFAULT-VALUE})")
  private int rounds = 200;

  @Option(names = "--store", description = "file or s3 (default: ${DEFAULT-VALUE})")
  private String store = "file";

  @Option(
      names = "--outage",
      description = "instead of killing: freeze the S3 server for so many seconds under load")
  private int outageSeconds = 0;

  @Option(
      names = "--refusal",
      description =
          "instead of killing: the S3 server refuses everything for so many seconds under load, in"
              + " each way that it can")
  private int refusalSeconds = 0;

  @Option(names = "--clients", description = "bulk clients (default: ${DEFAULT-VALUE})")
  private int clients = 8;

  @Option(names = "--documents", description = "ids of each client (default: ${DEFAULT-VALUE})")
  private int documentsEach = 500;

  @Option(names = "--port", description = "of the node (default: ${DEFAULT-VALUE})")
  private int port = 9290;

  private final Tally tally = new Tally();
  private Expectation[][] documents = new Expectation[0][];
  private long maxStartMillis;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Chaos()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (!store.equals("file") && !store.equals("s3")) {
      // Anything else would be taken for a folder.
      throw new ParameterException(
          spec.commandLine(), "--store is file or s3, not [" + store + "]");
    }
    Path home = common.home();
    System.out.printf(
        "chaos [store=%s, rounds=%d, clients=%d, seed=%d, folder=%s]%n",
        store, rounds, clients, common.seed, home);
    documents = Expectation.table(clients, documentsEach);
    boolean isS3 = store.equals("s3") || outageSeconds > 0;
    String host = place().host();
    StoreServer server =
        refusalSeconds > 0
            ? common.startRefusingStore(home, host)
            : isS3 ? common.startStore(home, host) : null;
    try {
      List<String> arguments = server == null ? List.of("--heap", "512m") : nodeArguments(server);
      Map<String, String> environment = server == null ? Map.of() : StoreServer.nodeEnvironment();
      NodeProcess node =
          new NodeProcess(common.launcher(), place(), home.resolve("data"), arguments, environment);
      try {
        createIndex();
        if (refusalSeconds > 0 && server != null) {
          refusals(node, server);
        } else if (outageSeconds > 0 && server != null) {
          outage(node, server);
        } else {
          killAgainAndAgain(node);
        }
      } finally {
        node.stop();
      }
    } finally {
      if (server != null) {
        server.close();
      }
    }
    return report(home);
  }

  private static List<String> nodeArguments(StoreServer server) {
    List<String> arguments = new ArrayList<>(server.nodeArguments());
    arguments.addAll(List.of("--heap", "512m"));
    return arguments;
  }

  private void createIndex() throws IOException, InterruptedException {
    Http.Reply reply =
        new Http(place().address(), Duration.ofSeconds(30))
            .send(
                "PUT",
                "/" + INDEX,
                "{\"settings\":{\"number_of_shards\":2,\"refresh_interval\":\"1s\"},\"mappings\":{\"properties\":"
                    + "{\"key\":{\"type\":\"keyword\"},\"value\":{\"type\":\"long\"},\"text\":{\"type\":\"text\"}}}}");
    Verification.require("create index", reply);
    Verification.require(
        "create index",
        new Http(place().address(), Duration.ofSeconds(30)).send("PUT", "/" + KNOCK, ""));
  }

  private void killAgainAndAgain(NodeProcess node) throws IOException, InterruptedException {
    Random dice = new Random(common.seed);
    for (int round = 1; round <= rounds; round++) {
      AtomicBoolean isOver = new AtomicBoolean();
      List<Thread> running = startClients(isOver, dice.nextLong(), Duration.ofSeconds(30));
      Thread.sleep(100 + dice.nextInt(1400));
      if (dice.nextInt(4) == 0) {
        // Sometimes a flush is under way when the plug is pulled.
        Thread flush = Thread.ofVirtual().unstarted(this::flushQuietly);
        flush.start();
        Thread.sleep(dice.nextInt(30));
      }
      node.kill();
      isOver.set(true);
      for (Thread client : running) {
        client.join();
      }
      node.restart();
      maxStartMillis = Math.max(maxStartMillis, node.startMillis());
      new Verification(place().address(), INDEX, tally).check(documents);
      if (round % 10 == 0 || !tally.violations.isEmpty()) {
        System.out.printf(
            "round %d: acknowledged %d, checked %d, violations %d, last start %d ms%n",
            round,
            tally.acknowledged.sum(),
            tally.checked.sum(),
            tally.violations.size(),
            node.startMillis());
      }
      if (!tally.violations.isEmpty() || !tally.unexpected.isEmpty()) {
        return;
      }
    }
  }

  private void flushQuietly() {
    try {
      new Http(place().address(), Duration.ofSeconds(5)).send("POST", "/" + INDEX + "/_flush", "");
    } catch (IOException e) {
      // the node was killed meanwhile, which is what this is for
      tally.withoutAnswer.increment();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The store refuses in each way, one after the other: the node must live, say why, refuse writes
  /// that it can't make durable, and go on by itself.
  private void refusals(NodeProcess node, StoreServer server)
      throws IOException, InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    Duration patience = Duration.ofSeconds(refusalSeconds + 120L);
    List<Thread> running = startClients(isOver, common.seed, patience);
    for (StoreProxy.Answer answer : StoreProxy.Answer.values()) {
      Thread.sleep(3_000);
      long refusedBefore = tally.refused.sum();
      server.refuse(answer);
      List<Thread> knocking = startKnocking(isOver, refusalSeconds);
      Http.Reply health = new Http(place().address(), patience).get("/_cluster/health");
      long acknowledged = tally.acknowledged.sum();
      long refused = tally.refused.sum() - refusedBefore;
      server.refuse(null);
      long passes = System.nanoTime();
      while (tally.acknowledged.sum() == acknowledged
          && System.nanoTime() - passes < 60_000_000_000L) {
        Thread.sleep(20);
      }
      System.out.printf(
          "%s for %d s: health %s, refused %d writes; first acknowledgement %d ms after it ended;"
              + " %d requests refused so far%n",
          answer,
          refusalSeconds,
          health.body().path("status").asText(),
          refused,
          (System.nanoTime() - passes) / 1_000_000,
          server.refused());
      for (Thread client : knocking) {
        client.join();
      }
      boolean isLong = refusalSeconds > 12;
      if (!node.isAlive()) {
        tally.violations.add("the node did not survive " + answer);
        break;
      }
      if (tally.acknowledged.sum() == acknowledged) {
        tally.violations.add("no write was acknowledged after " + answer);
      }
      boolean isUntold = refused == 0 && answer.isOfWrites();
      if (isLong && (isUntold || !health.body().path("status").asText().equals("red"))) {
        tally.violations.add("nobody was told of " + answer + ": " + health.body());
      }
    }
    isOver.set(true);
    for (Thread client : running) {
      client.join();
    }
    new Verification(place().address(), INDEX, tally).check(documents);
  }

  private void outage(NodeProcess node, StoreServer server)
      throws IOException, InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> running =
        startClients(isOver, common.seed, Duration.ofSeconds(outageSeconds + 120L));
    Thread.sleep(5_000);
    long before = tally.acknowledged.sum();
    System.out.printf("acknowledged before the outage: %d%n", before);
    server.freeze();
    // New writers keep knocking while the first ones wait for their answer.
    List<Thread> knocking = startKnocking(isOver, outageSeconds);
    long during = tally.acknowledged.sum() - before;
    long refused = tally.refused.sum();
    server.thaw();
    long thawed = System.nanoTime();
    while (tally.acknowledged.sum() - before - during == 0
        && System.nanoTime() - thawed < 120_000_000_000L) {
      Thread.sleep(20);
    }
    System.out.printf(
        "during the outage: acknowledged %d, refused with 429 %d; first acknowledgement %d ms after"
            + " the store came back%n",
        during, refused, (System.nanoTime() - thawed) / 1_000_000);
    Thread.sleep(5_000);
    isOver.set(true);
    for (Thread client : running) {
      client.join();
    }
    for (Thread client : knocking) {
      client.join();
    }
    if (!node.isAlive()) {
      tally.violations.add("the node did not survive the outage");
      return;
    }
    new Verification(place().address(), INDEX, tally).check(documents);
    if (refused == 0) {
      tally.violations.add("nothing was refused during the outage");
    }
  }

  /// Every half second another writer comes, whether or not those before it got an answer.
  private List<Thread> startKnocking(AtomicBoolean isOver, int seconds)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    Http http = new Http(place().address(), Duration.ofSeconds(seconds + 120L));
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    for (int n = 0; System.nanoTime() < end && !isOver.get(); n++) {
      String body = "{\"index\":{\"_id\":\"" + n + "\"}}\n{\"value\":1}\n";
      threads.add(Thread.ofVirtual().start(() -> knock(http, body)));
      Thread.sleep(500);
    }
    return threads;
  }

  private void knock(Http http, String body) {
    try {
      Http.Reply reply = http.send("POST", "/" + KNOCK + "/_bulk", body);
      if (reply.status() == 429
          || BulkClient.isRefusedByStore(reply.body())
          || BulkClient.isRefusedByStore(reply.body().path("items").path(0).path("index"))) {
        tally.refused.increment();
      }
    } catch (IOException e) {
      tally.withoutAnswer.increment();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Thread> startClients(AtomicBoolean isOver, long roundSeed, Duration timeout) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      BulkClient client =
          new BulkClient(
              i,
              place().address(),
              INDEX,
              documents[i],
              roundSeed * 31 + i,
              isOver,
              tally,
              timeout,
              BulkClient.OnFailure.STOP);
      threads.add(Thread.ofVirtual().start(client));
    }
    return threads;
  }

  private int report(Path home) {
    System.out.printf(
        "acknowledged %d, refused %d, checked %d, slowest start %d ms, unexpected answers %d,"
            + " violations %d [seed=%d]%n",
        tally.acknowledged.sum(),
        tally.refused.sum(),
        tally.checked.sum(),
        maxStartMillis,
        tally.unexpected.size(),
        tally.violations.size(),
        common.seed);
    tally.unexpected.stream().limit(5).forEach(u -> System.out.println("unexpected: " + u));
    tally.violations.stream().limit(20).forEach(v -> System.out.println("violation: " + v));
    boolean isClean =
        tally.violations.isEmpty() && tally.unexpected.isEmpty() && tally.checked.sum() > 0;
    if (isClean && common.isTemporary()) {
      delete(home);
    }
    return isClean ? 0 : 1;
  }

  private static void delete(Path home) {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private NodeAddress place() {
    return NodeAddress.local(port);
  }
}
