package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.holdfast.oracle.command.ToolCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast fuzz`: breaks good requests and demands good refusals.
@Command(
    name = "holdfast fuzz",
    mixinStandardHelpOptions = true,
    description =
        "Sends requests that are broken on purpose. No answer may be a 5xx, take longer than"
            + " --hang, or refuse without Elasticsearch's error shape; afterwards the node must"
            + " live and its heap be within bounds. Replaces indices called oracle-*.")
public final class Fuzz implements Callable<Integer> {
  private static final int EXAMPLES_MAX = 3;
  private static final int MUTATIONS_MAX = 3;
  private static final int PROGRESS = 5000;
  private static final int SHOWN_CHARACTERS_MAX = 1200;
  private static final int HEAP_SAMPLES = 40;
  private static final long STACK_BYTES = 64L << 20;

  @Option(names = "--url", description = "Holdfast (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:9200");

  @Option(names = "--requests", description = "how many (default: ${DEFAULT-VALUE})")
  private long requests = 100_000;

  @Option(names = "--seed", description = "of all requests (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(names = "--from", description = "number of the first request (default: 0)")
  private long from;

  @Option(names = "--clients", description = "requests at a time (default: ${DEFAULT-VALUE})")
  private int clients = 4;

  @Option(names = "--only", description = "features whose name contains this expression")
  private String only = "";

  @Option(
      names = "--mutations",
      description = "ways to break a request whose name contains this expression")
  private String mutationsOnly = "";

  @Option(names = "--hang", description = "seconds an answer may take (default: ${DEFAULT-VALUE})")
  private int hangSeconds = 30;

  @Option(
      names = "--heap-max",
      description = "percent of the heap that may be used at the end (default: ${DEFAULT-VALUE})")
  private int heapPercentMax = 75;

  @Option(names = "--keep", description = "use the corpus of an earlier run")
  private boolean isKept;

  @Option(names = "--verbose", description = "show every request and its answer")
  private boolean isVerbose;

  private final PrintWriter out;
  private final Features features = new Features();
  private final AtomicLong next = new AtomicLong();
  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
  private final Map<String, List<String>> failures = new TreeMap<>();
  private final Map<String, Integer> failureCounts = new TreeMap<>();
  private final AtomicLong slowestMillis = new AtomicLong();
  private volatile String slowest = "";
  private volatile boolean isDead;
  private List<String> names = List.of();
  private List<String> mutations = List.of();

  private Fuzz(PrintWriter out) {
    this.out = out;
  }

  public static void main(String[] arguments) {
    System.exit(run(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments));
  }

  /// @return 0 when all answers were as they must be, 1 when not, 2 for a usage
  static int run(PrintWriter out, String... arguments) {
    return ToolCommand.run(new Fuzz(out), out, arguments);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Pattern wanted = Pattern.compile(only);
    names = features.names().stream().filter(name -> wanted.matcher(name).find()).toList();
    mutations = Mutations.named(Pattern.compile(mutationsOnly));
    if (names.isEmpty() || mutations.isEmpty()) {
      out.println("holdfast fuzz: nothing is called as --only or --mutations say");
      return ToolCommand.EXIT_USAGE;
    }
    Duration timeout = Duration.ofSeconds(hangSeconds);
    Set<String> indicesBefore;
    try (Server server = new Server(url, timeout)) {
      if (!isKept) {
        new Corpus(features).build(server);
      }
      indicesBefore = indices(server);
    }
    long startNanos = System.nanoTime();
    next.set(from);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      // Nesting is read and written by recursion.
      Thread thread = new Thread(null, () -> client(timeout), "client-" + i, STACK_BYTES);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    try (Server server = new Server(url, timeout)) {
      checkNode(server);
      removeMade(server, indicesBefore);
    } catch (IOException e) {
      fail("the node does not answer at the end", "", e.toString());
    }
    return report(seconds);
  }

  private void client(Duration timeout) {
    try (Server server = new Server(url, timeout)) {
      while (!isDead) {
        long number = next.getAndIncrement();
        if (number >= from + requests) {
          return;
        }
        try {
          one(server, number);
        } catch (RuntimeException | StackOverflowError e) {
          fail("the fuzzer itself", "#" + number, e.toString());
        }
        if ((number - from + 1) % PROGRESS == 0) {
          out.println((number - from + 1) + " requests, " + failureCounts());
        }
      }
    }
  }

  private synchronized String failureCounts() {
    return failureCounts.toString();
  }

  private void one(Server server, long number) {
    Random random = new Random(Features.mix(seed, number));
    String feature = Mutation.any(names, random);
    List<OracleRequest> steps = OracleRequest.steps(features.draw(feature, seed, number));
    int broken = random.nextInt(steps.size());
    StringBuilder how = new StringBuilder();
    JsonNode last = MissingNode.getInstance();
    for (int i = 0; i < steps.size(); i++) {
      OracleRequest step = steps.get(i).after(last);
      OracleRequest sent = i == broken ? mutate(step, random, how) : step;
      long startNanos = System.nanoTime();
      String label = "#" + number + " " + feature + " [" + how + "] ";
      try {
        OracleAnswer answer = server.send(sent);
        took(label, sent, startNanos);
        statuses.computeIfAbsent(answer.status(), _ -> new LongAdder()).increment();
        Optional<String> wrong = AnswerInvariants.broken(sent, answer);
        wrong.ifPresent(why -> fail(why, label + sent, answer.text()));
        if (isVerbose) {
          out.println(
              label + cut(sent.toString()) + "\n    " + cut(answer.status() + " " + answer.text()));
        }
        last = answer.json();
      } catch (SocketTimeoutException e) {
        fail("no answer within " + hangSeconds + " s", label + sent, "");
        server.close();
      } catch (IOException | NumberFormatException e) {
        fail("no HTTP answer", label + sent, e.toString());
        server.close();
        isDead |= e instanceof java.net.ConnectException;
      }
    }
  }

  private void took(String label, OracleRequest sent, long startNanos) {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    if (slowestMillis.accumulateAndGet(millis, Math::max) == millis) {
      slowest = label + sent;
    }
  }

  private OracleRequest mutate(OracleRequest request, Random random, StringBuilder how) {
    OracleRequest mutated = request;
    int times = 1 + random.nextInt(MUTATIONS_MAX);
    for (int i = 0; i < times; i++) {
      String name = Mutation.any(mutations, random);
      Mutation mutation = Mutations.ALL.get(name);
      if (mutation != null) {
        mutated = mutation.apply(mutated, random);
        how.append(i == 0 ? "" : ", ").append(name);
      }
    }
    // What deletes keeps its target: the corpus must live to the end.
    return mutated.method().equals("DELETE")
        ? new OracleRequest("DELETE", request.path(), mutated.contentType(), mutated.body())
        : mutated;
  }

  private synchronized void fail(String why, String request, String answer) {
    int count = failureCounts.merge(why, 1, Integer::sum);
    List<String> examples = failures.computeIfAbsent(why, _ -> new ArrayList<>());
    if (examples.size() < EXAMPLES_MAX) {
      examples.add(request);
    }
    if (count <= 30) {
      out.println("FAILED (" + why + ") " + cut(request) + "\n    " + cut(answer));
    }
  }

  private static String cut(String text) {
    return text.length() <= SHOWN_CHARACTERS_MAX
        ? text
        : text.substring(0, SHOWN_CHARACTERS_MAX) + "…";
  }

  /// The least of several samples: what lies between them is garbage.
  private void checkNode(Server server) throws IOException {
    long usedMin = Long.MAX_VALUE;
    long max = 1;
    for (int i = 0; i < HEAP_SAMPLES; i++) {
      server.send("POST", "/oracle-books/_search", "{\"size\": 100, \"sort\": [\"pages\"]}");
      JsonNode nodes = server.send("GET", "/_nodes/stats/jvm", "").json().path("nodes");
      for (JsonNode node : nodes) {
        JsonNode memory = node.path("jvm").path("mem");
        usedMin = Math.min(usedMin, memory.path("heap_used_in_bytes").asLong());
        max = memory.path("heap_max_in_bytes").asLong(1);
      }
    }
    long percent = 100 * usedMin / Math.max(1, max);
    out.println(
        "heap at the end: " + (usedMin >> 20) + " of " + (max >> 20) + " MiB, " + percent + " %");
    if (percent > heapPercentMax) {
      fail("heap above " + heapPercentMax + " % at the end", "", percent + " %");
    }
    OracleAnswer search =
        server.send("POST", "/oracle-books/_search", "{\"track_total_hits\": true}");
    if (search.status() != 200) {
      fail("the corpus cannot be searched at the end", "", search.text());
    }
  }

  private static Set<String> indices(Server server) throws IOException {
    Set<String> names = new TreeSet<>();
    server
        .send("GET", "/_settings?expand_wildcards=all", "")
        .json()
        .fieldNames()
        .forEachRemaining(names::add);
    return names;
  }

  private void removeMade(Server server, Set<String> before) throws IOException {
    Set<String> made = indices(server);
    made.removeAll(before);
    out.println("indices made by broken requests, removed: " + made.size());
    for (String index : made) {
      server.send("DELETE", "/" + java.net.URLEncoder.encode(index, StandardCharsets.UTF_8), "");
    }
  }

  private int report(double seconds) {
    long done = Math.min(next.get(), from + requests) - from;
    out.printf(
        Locale.ROOT,
        "%d broken requests in %.0f s (%.0f/s), seed %d%n",
        done,
        seconds,
        done / seconds,
        seed);
    out.println("answers by status: " + statuses);
    out.println("slowest: " + slowestMillis + " ms, " + cut(slowest));
    if (failures.isEmpty()) {
      out.println("no failures");
      return 0;
    }
    failureCounts.forEach((why, count) -> {
      out.println("FAILED " + count + " times: " + why);
      failures.getOrDefault(why, List.of()).forEach(example -> out.println("    " + cut(example)));
    });
    out.println(
        "replay one: ./holdfast fuzz --keep --seed "
            + seed
            + " --clients 1 --verbose --requests 1 --from NUMBER");
    return 1;
  }
}
