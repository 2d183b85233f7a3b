package dev.holdfast.chaos.scaling;

import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.network.NodeAddress;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import dev.holdfast.chaos.node.StartedNode;
import dev.holdfast.chaos.node.StoreServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast chaos scale-to-zero`: a proxy that starts both tiers as processes and lets them go.
/// Again and again it is waited for until nothing but the proxy runs; then a search is asked, and
/// how late it is answered is measured. Each round also writes a document, which the next round's
/// search must find: what was acknowledged outlives every process that knew of it.
@Command(
    name = "scale-to-zero",
    mixinStandardHelpOptions = true,
    description =
        "Lets both tiers go and come back on a real S3 server, and prints how late the first search"
            + " is answered.")
public final class ScaleToZero implements Callable<Integer> {
  private static final String INDEX = "scaled";
  private static final String PROXY = "proxy";
  private static final Duration GONE_MAX = Duration.ofMinutes(2);

  /// Searches are held for a minute at most.
  private static final Duration ANSWER_MAX = Duration.ofSeconds(90);

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--times", description = "to nothing and back (default: ${DEFAULT-VALUE})")
  private int times = 50;

  @Option(
      names = "--idle-seconds",
      description =
          "without a request until the tiers go, autoscaling.idle_after (default:"
              + " ${DEFAULT-VALUE})")
  private int idleSeconds = 2;

  @Option(
      names = "--documents",
      description = "of the index before the first time (default: ${DEFAULT-VALUE})")
  private int documents = 1000;

  @Option(names = "--heap", description = "of each process (default: ${DEFAULT-VALUE})")
  private String heap = "512m";

  @Option(names = "--port", description = "of the proxy (default: ${DEFAULT-VALUE})")
  private int port = 9300;

  /// Documents that were acknowledged.
  private long acknowledged;

  @Override
  public Integer call() throws Exception {
    Path home = common.home();
    System.out.printf(
        "scale-to-zero [times=%d, idle=%d s, documents=%d, heap=%s, processors=%d, load=%.1f,"
            + " folder=%s]%n",
        times,
        idleSeconds,
        documents,
        heap,
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        home);
    FirstAnswers answers = new FirstAnswers();
    try (StoreServer store = common.startStore(home, NodeAddress.LOOPBACK)) {
      NodeProcess proxy = start(home, store);
      try {
        fill(proxy);
        for (int i = 1; i <= times; i++) {
          round(i, proxy, answers);
        }
      } finally {
        proxy.stop(); // and what it has started, which it does not wait for
        awaitEnd(proxy);
      }
    }
    answers.report().forEach(System.out::println);
    return answers.isAllGood() ? 0 : 1;
  }

  private NodeProcess start(Path home, StoreServer store) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(store.nodeArguments());
    arguments.addAll(
        List.of(
            "--roles",
            PROXY,
            "--heap",
            heap,
            "-E",
            "node.name=" + PROXY,
            "-E",
            "autoscaling.provisioner=process"));
    Path data = Files.createDirectories(home.resolve(PROXY));
    return new NodeProcess(
        common.launcher(), NodeAddress.local(port), data, arguments, StoreServer.nodeEnvironment());
  }

  private static Http http(NodeProcess proxy) {
    return new Http(proxy.place().address(), ANSWER_MAX);
  }

  private void fill(NodeProcess proxy) throws IOException, InterruptedException {
    Http http = http(proxy);
    Verification.require(
        "settings",
        http.send(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"autoscaling.index.min_nodes\":0,\"autoscaling.search.min_nodes\":0,"
                + "\"autoscaling.idle_after\":\""
                + idleSeconds
                + "s\"}}"));
    Verification.require(
        "create index",
        http.send(
            "PUT",
            "/" + INDEX,
            "{\"settings\":{\"number_of_shards\":1},"
                + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}"));
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n{\"n\":" + i + "}\n");
    }
    Http.Reply reply = http.send("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
    Verification.require("documents", reply);
    if (reply.body().path("errors").asBoolean(true)) {
      throw new IOException("not all documents were taken: " + reply.body());
    }
    acknowledged = documents;
  }

  private void round(int number, NodeProcess proxy, FirstAnswers answers)
      throws IOException, InterruptedException {
    long goneMillis = awaitNothing(proxy);
    Http http = http(proxy);
    long beginNanos = System.nanoTime();
    Http.Reply reply = search(http);
    long firstMillis = millisSince(beginNanos);
    FirstAnswers.Kind kind = FirstAnswers.of(reply, acknowledged);
    answers.add(kind, firstMillis);
    String starts = StartedNode.words(children(proxy));
    beginNanos = System.nanoTime();
    Http.Reply again = search(http);
    System.out.printf(
        "%3d: first answer %d ms, second %d ms; both tiers had gone after %d ms; %s%s%n",
        number,
        firstMillis,
        millisSince(beginNanos),
        goneMillis,
        starts,
        kind == FirstAnswers.Kind.GOOD ? "" : "; " + kind + ": " + reply);
    if (FirstAnswers.of(again, acknowledged) != FirstAnswers.Kind.GOOD) {
      System.out.println("     second answer: " + again);
    }
    Http.Reply written =
        http.send("PUT", "/" + INDEX + "/_doc/round-" + number, "{\"n\":" + -number + "}");
    if (written.status() != 201) {
      throw new IOException("a document was not taken: " + written);
    }
    acknowledged++;
  }

  private static Http.Reply search(Http http) throws IOException, InterruptedException {
    return http.send(
        "POST",
        "/" + INDEX + "/_search",
        "{\"size\":0,\"track_total_hits\":true,\"query\":{\"exists\":{\"field\":\"n\"}}}");
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  /// Until the proxy is the only member, and no process runs that it has started. Looks at the
  /// cluster wake nobody.
  private long awaitNothing(NodeProcess proxy) throws IOException, InterruptedException {
    long beginNanos = System.nanoTime();
    Http http = http(proxy);
    while (http.get("/_cat/nodes?format=json&h=name").body().size() != 1 || isAnyRunning(proxy)) {
      if (System.nanoTime() - beginNanos > GONE_MAX.toNanos()) {
        throw new IOException("the tiers do not go: " + http.get("/_cat/nodes?format=json").body());
      }
      Thread.sleep(50);
    }
    return millisSince(beginNanos);
  }

  /// Until what the proxy had started has ended: it still needs the store, and its ports.
  private static void awaitEnd(NodeProcess proxy) throws IOException, InterruptedException {
    long beginNanos = System.nanoTime();
    while (isAnyRunning(proxy)) {
      if (System.nanoTime() - beginNanos > GONE_MAX.toNanos()) {
        throw new IOException(
            "what the proxy started goes on without it [data=" + proxy.data() + "]");
      }
      Thread.sleep(50);
    }
  }

  private static boolean isAnyRunning(NodeProcess proxy) throws IOException {
    return StartedNode.of(children(proxy)).stream().anyMatch(StartedNode::isRunning);
  }

  private static Path children(NodeProcess proxy) {
    return proxy.data().resolve("elastic");
  }
}
