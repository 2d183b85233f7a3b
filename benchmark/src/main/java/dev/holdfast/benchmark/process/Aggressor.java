package dev.holdfast.benchmark.process;

import dev.holdfast.benchmark.report.Machine;
import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.node.CommonOptions;
import dev.holdfast.chaos.node.Http;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast benchmark aggressor`: how much one project of a node, whose clients send endless
/// bulks of 50 MB and searches by wildcards, slows another, whose clients search and write a
/// little. Exits with 1 when the other's p99 is above 1.3 times what it is alone, or when a request
/// of the other is refused or fails.
@Command(
    name = "aggressor",
    mixinStandardHelpOptions = true,
    description = "How much a project that is sent too much slows another.")
public final class Aggressor implements Callable<Integer> {
  private static final double RATIO_MAX = 1.3;
  private static final Duration PACE = Duration.ofMillis(50);
  private static final String VICTIM = "victim";
  private static final String AGGRESSOR = "aggressor";
  private static final int SMALL_BULK = 10;
  private static final long AFTER_REFUSAL_MILLIS = 200;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--seconds", description = "of each half (default: ${DEFAULT-VALUE})")
  private int seconds = 40;

  @Option(
      names = "--warm-seconds",
      description = "of each half that count for nothing (default: ${DEFAULT-VALUE})")
  private int warmSeconds = 15;

  @Option(names = "--bulks", description = "clients with bulks (default: ${DEFAULT-VALUE})")
  private int bulks = 2;

  @Option(names = "--bulk-mb", description = "(default: ${DEFAULT-VALUE})")
  private int bulkMegabytes = 50;

  @Option(names = "--searches", description = "clients with wildcards (default: ${DEFAULT-VALUE})")
  private int searches = 4;

  @Option(names = "--heap", description = "of the node (default: ${DEFAULT-VALUE})")
  private String heap = "1g";

  @Option(
      names = "--limits",
      description = "of the aggressor's project, as JSON (default: ${DEFAULT-VALUE})")
  private String limits =
      "{\"search_threads\":1,\"write_threads\":1,\"bulk_bytes_per_second\":\"2mb\"}";

  @Option(names = "--port", description = "of the node (default: ${DEFAULT-VALUE})")
  private int port = 9310;

  private boolean isGood = true;

  @Override
  public Integer call() throws Exception {
    System.out.println(Machine.words());
    Path home = common.home();
    System.out.println("data and logs in " + home);
    try (HoldfastNodes nodes = new HoldfastNodes(common, home, port, heap)) {
      String address = nodes.start("both", "all", List.of(), "", "projects=true").place().address();
      prepare(address);
      try (RequestStream asks =
              new RequestStream(
                  address + "/events/_search?request_cache=false",
                  VICTIM,
                  List.of(
                      bytes(
                          "{\"size\":10,\"query\":{\"term\":{\"type\":\"ForkEvent\"}},\"aggs\":"
                              + "{\"a\":{\"terms\":{\"field\":\"actor.login\"}}}}")),
                  PACE,
                  1);
          RequestStream writes =
              new RequestStream(
                  address + "/events/_bulk",
                  VICTIM,
                  EventBulks.bodies(16, SMALL_BULK, common.seed),
                  PACE,
                  1)) {
        RequestStream.Answers[] alone = measured(asks, writes);
        try (RequestStream large = large(address);
            RequestStream wild = wild(address)) {
          RequestStream.Answers[] beside = measured(asks, writes);
          tell("searches", alone[0], beside[0]);
          tell("writes", alone[1], beside[1]);
          told("aggressor's bulks", large.take());
          told("aggressor's searches", wild.take());
        }
      }
    }
    return isGood ? 0 : 1;
  }

  private void prepare(String address) throws Exception {
    Http http = new Http(address, Duration.ofMinutes(2));
    Verification.require("project", http.send("PUT", "/_holdfast/projects/" + VICTIM, ""));
    Verification.require(
        "project",
        http.send("PUT", "/_holdfast/projects/" + AGGRESSOR, "{\"limits\":" + limits + "}"));
    for (String project : List.of(VICTIM, AGGRESSOR)) {
      Http own = http.of(project);
      Verification.require("create index", own.send("PUT", "/events", EventBulks.index(1, 1)));
      for (byte[] body : EventBulks.bodies(10, 1000, common.seed)) {
        String text = new String(body, StandardCharsets.UTF_8);
        Http.Reply reply = own.send("POST", "/events/_bulk?refresh=true", text);
        while (reply.status() == 429) { // its limit of bytes
          Thread.sleep(AFTER_REFUSAL_MILLIS);
          reply = own.send("POST", "/events/_bulk?refresh=true", text);
        }
        Verification.require("documents", reply);
      }
    }
  }

  private RequestStream large(String address) {
    byte[] thousand = EventBulks.bodies(1, 1000, common.seed).getFirst();
    int times = Math.max(1, (bulkMegabytes << 20) / thousand.length);
    byte[] body = new byte[times * thousand.length];
    for (int i = 0; i < times; i++) {
      System.arraycopy(thousand, 0, body, i * thousand.length, thousand.length);
    }
    return new RequestStream(
        address + "/events/_bulk?filter_path=errors",
        AGGRESSOR,
        List.of(body),
        Duration.ZERO,
        bulks);
  }

  private RequestStream wild(String address) {
    return new RequestStream(
        address + "/events/_search?request_cache=false",
        AGGRESSOR,
        List.of(
            bytes("{\"query\":{\"wildcard\":{\"actor.url\":{\"value\":\"*e*u*1*2*\"}}}}"),
            bytes("{\"query\":{\"wildcard\":{\"payload.commits.message\":{\"value\":\"*a*\"}}}}")),
        Duration.ZERO,
        searches);
  }

  /// Of searches, and of writes.
  private RequestStream.Answers[] measured(RequestStream asks, RequestStream writes)
      throws InterruptedException {
    Thread.sleep(Duration.ofSeconds(warmSeconds));
    var _ = asks.take();
    var _ = writes.take();
    Thread.sleep(Duration.ofSeconds(seconds));
    return new RequestStream.Answers[] {asks.take(), writes.take()};
  }

  private void tell(String what, RequestStream.Answers alone, RequestStream.Answers beside) {
    told("victim's " + what + " alone", alone);
    told("victim's " + what + " beside", beside);
    double ratio = beside.percentile(0.99) / alone.percentile(0.99);
    System.out.printf(
        Locale.ROOT,
        "p99 of %s beside the aggressor: %.1f x alone (wanted: at most %.1f)%n",
        what,
        ratio,
        RATIO_MAX);
    // Of no answer at all there is no percentile, which is no yes.
    isGood &= ratio <= RATIO_MAX && beside.refused == 0 && beside.failed == 0;
  }

  private static void told(String whose, RequestStream.Answers its) {
    System.out.printf(
        Locale.ROOT,
        "%s: %,d answered, p50 %.1f ms, p99 %.1f ms; %,d refused, %,d failed%s%n",
        whose,
        its.millis.size(),
        its.percentile(0.5),
        its.percentile(0.99),
        its.refused,
        its.failed,
        its.failure.isEmpty() ? "" : ": " + its.failure);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
