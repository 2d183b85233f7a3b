package dev.holdfast.oracle;

import dev.holdfast.oracle.command.ToolCommand;
import dev.holdfast.oracle.connection.ConnectionAttack;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast hostile`: requests that cost far more than they say, beside others' normal load.
@Command(
    name = "holdfast hostile",
    mixinStandardHelpOptions = true,
    description =
        "Sends requests that want all memory or time of a node, beside normal requests of others."
            + " The node must live, refuse with a 4xx and its reason or answer, and the others'"
            + " p99 must stay within a second and five times what it is alone. Replaces indices"
            + " called hostile-*.")
public final class Hostile implements Callable<Integer> {
  private static final Pattern MADE = Pattern.compile("/(hostile-x-[a-z0-9-]+).*");
  private static final int EXAMPLES_MAX = 3;
  private static final int SHOWN_CHARACTERS_MAX = 300;
  private static final int PROGRESS = 500;
  private static final int SLOWEST_SHOWN = 15;
  private static final double P99_MILLIS_MAX = 1000;
  private static final double P99_TIMES_MAX = 5;

  @Option(names = "--url", description = "Holdfast (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:9200");

  @Option(names = "--requests", description = "how many (default: ${DEFAULT-VALUE})")
  private long requests = 10_000;

  @Option(names = "--seed", description = "of all requests (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(names = "--from", description = "number of the first request (default: 0)")
  private long from;

  @Option(
      names = "--clients",
      description = "hostile requests at a time (default: ${DEFAULT-VALUE})")
  private int clients = 6;

  @Option(
      names = "--others",
      description = "clients of the normal load (default: ${DEFAULT-VALUE})")
  private int others = 2;

  @Option(names = "--alone", description = "seconds that the others are measured alone before")
  private int aloneSeconds = 20;

  @Option(
      names = "--documents",
      description = "that hostile requests ask for (default: ${DEFAULT-VALUE})")
  private int documents = 20_000;

  @Option(
      names = "--patience",
      description = "seconds until a client leaves (default: ${DEFAULT-VALUE})")
  private int patienceSeconds = 10;

  @Option(names = "--only", description = "kinds whose name contains this expression")
  private String only = "";

  @Option(names = "--verbose", description = "show every request and how it ended")
  private boolean isVerbose;

  private final PrintWriter out;
  private final Grammar grammar = new Grammar();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
  private final Map<String, Long> slowestMillis = new TreeMap<>();
  private final Map<String, List<String>> failures = new TreeMap<>();
  private final Map<String, Integer> failureCounts = new TreeMap<>();

  /// What was sent and not answered yet, by number.
  private final Map<Long, String> underWay = new ConcurrentSkipListMap<>();

  private List<String> kinds = List.of();

  private Hostile(PrintWriter out) {
    this.out = out;
    grammar.read("hostile");
    grammar.verify(Set.of());
  }

  public static void main(String[] arguments) {
    System.exit(run(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments));
  }

  /// @return 0 when the node bore all of it, 1 when not, 2 for a usage
  static int run(PrintWriter out, String... arguments) {
    return ToolCommand.run(new Hostile(out), out, arguments);
  }

  /// The names of all kinds of requests.
  static List<String> kinds() {
    return new Hostile(new PrintWriter(PrintWriter.nullWriter())).grammar.features();
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Pattern wanted = Pattern.compile(only);
    kinds =
        Stream.concat(kinds().stream(), ConnectionAttack.kinds().stream())
            .filter(kind -> wanted.matcher(kind).find())
            .toList();
    new HostileData(url, documents).make();
    RequestTimes alone;
    RequestTimes beside;
    long startNanos;
    boolean isDead;
    List<String> slowest;
    try (NormalLoad load = new NormalLoad(url, others, () -> underWay.values().toString());
        NodeWatch watch =
            new NodeWatch(
                url,
                Duration.ofSeconds(patienceSeconds),
                () -> {
                  load.stop();
                  fail("the node died", "under way: " + underWay, "");
                })) {
      load.start();
      Thread.sleep(Duration.ofSeconds(aloneSeconds).toMillis() / 4); // until it is warm
      load.take();
      Thread.sleep(Duration.ofSeconds(aloneSeconds));
      alone = load.take();
      out.println("others alone: " + alone);
      next.set(from);
      startNanos = System.nanoTime();
      watch.start();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        threads.add(Thread.ofPlatform().daemon().start(() -> client(watch)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      slowest = load.slowest();
      beside = load.take();
      if (!load.failure().isEmpty()) {
        out.println("others, the last failure: " + cut(load.failure()));
      }
      isDead = watch.isDead();
      if (!isDead && !watch.lives()) {
        isDead = true;
        fail("the node does not answer at the end", "", "");
      }
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    if (isDead) {
      out.println("ended when the node died: nothing was sent any more");
    } else {
      new HostileData(url, documents).remove();
    }
    slowest.forEach(one -> out.println("  slowest of others: " + one));
    return report(alone, beside, seconds);
  }

  private void client(NodeWatch watch) {
    try (Server server = new Server(url, Duration.ofSeconds(patienceSeconds))) {
      while (!watch.isDead()) {
        long number = next.getAndIncrement();
        if (number >= from + requests) {
          return;
        }
        one(server, number, watch);
        if ((number - from + 1) % PROGRESS == 0) {
          out.println((number - from + 1) + " requests, " + statuses + ", left " + left);
        }
      }
    }
  }

  private void one(Server server, long number, NodeWatch watch) {
    Random random = new Random(Features.mix(seed, number));
    String kind = kinds.get(random.nextInt(kinds.size()));
    boolean isRequest = !ConnectionAttack.isOne(kind);
    String drawn = isRequest ? grammar.draw(kind, Map.of(), random) : "GET /";
    OracleRequest request = OracleRequest.steps(drawn).getFirst();
    String label = "#" + number + " " + kind + " ";
    long startNanos = System.nanoTime();
    String end;
    underWay.put(number, kind);
    try {
      end = isRequest ? send(server, request, label) : ConnectionAttack.send(kind, url, random);
      if (!isRequest && end.contains("HTTP/1.1 5")) {
        fail("status 5xx", label, end);
      }
    } catch (SocketTimeoutException e) {
      left.incrementAndGet();
      server.close();
      end = "left";
    } catch (IOException | NumberFormatException e) {
      server.close();
      end = e.toString();
      awaitNode(watch);
    }
    underWay.remove(number);
    took(kind, startNanos);
    if (isVerbose) {
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      out.printf(Locale.ROOT, "%s%s %.2f s %s%n", label, cut(request.path()), seconds, end);
    }
    forget(server, request);
  }

  /// @return how it ended
  private String send(Server server, OracleRequest request, String label) throws IOException {
    OracleAnswer answer = server.send(request);
    statuses.computeIfAbsent(answer.status(), _ -> new LongAdder()).increment();
    Optional<String> wrong =
        answer.status() >= 500
            ? Optional.of("status " + answer.status())
            : AnswerInvariants.broken(request, answer);
    wrong
        .filter(why -> !isOfScript(why, answer))
        .ifPresent(why -> fail(why, label + request, answer.text()));
    return answer.status() + " " + cut(answer.text());
  }

  /// Whoever lost its connection sends nothing until the node has answered again.
  private static void awaitNode(NodeWatch watch) {
    boolean answers = watch.lives();
    while (!answers && !watch.isDead()) {
      answers = watch.lives();
    }
  }

  /// A script that calls itself for ever is told so in Elasticsearch's words.
  private static boolean isOfScript(String why, OracleAnswer answer) {
    return why.endsWith("stack_overflow_error") && answer.text().contains("script_exception");
  }

  private synchronized void took(String kind, long startNanos) {
    slowestMillis.merge(kind, (System.nanoTime() - startNanos) / 1_000_000, Math::max);
  }

  /// What a hostile request made goes at once: the next of its kind makes it anew.
  private static void forget(Server server, OracleRequest request) {
    Matcher made = MADE.matcher(request.path());
    if (made.matches()) {
      OracleAnswer _ =
          OracleAnswer.of(server, OracleRequest.steps("DELETE /" + made.group(1)).getFirst());
    }
  }

  private synchronized void fail(String why, String request, String answer) {
    failureCounts.merge(why, 1, Integer::sum);
    List<String> examples = failures.computeIfAbsent(why, _ -> new ArrayList<>());
    if (examples.size() < EXAMPLES_MAX) {
      examples.add(cut(request) + "\n      " + cut(answer));
      out.println("FAILED (" + why + ") " + cut(request) + "\n    " + cut(answer));
    }
  }

  private static String cut(String text) {
    return text.length() <= SHOWN_CHARACTERS_MAX
        ? text
        : text.substring(0, SHOWN_CHARACTERS_MAX) + "…";
  }

  private int report(RequestTimes alone, RequestTimes beside, double seconds) {
    out.printf(
        Locale.ROOT,
        "%d hostile requests of %d kinds by %d clients in %.0f s, seed %d%n",
        Math.min(next.get(), from + requests) - from,
        kinds.size(),
        clients,
        seconds,
        seed);
    out.println("answers by status: " + statuses + ", clients that left: " + left);
    slowestMillis.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(SLOWEST_SHOWN)
        .forEach(one -> out.println("  slowest " + one.getKey() + ": " + one.getValue() + " ms"));
    out.println("others alone:  " + alone);
    alone.details().forEach(line -> out.println("  " + line));
    out.println("others beside: " + beside);
    beside.details().forEach(line -> out.println("  " + line));
    double p99 = beside.millis(0.99);
    if (p99 > P99_MILLIS_MAX || p99 > P99_TIMES_MAX * alone.millis(0.99)) {
      fail("the others' p99 is above 1 s or five times what it is alone", "", "");
    }
    if (beside.failed() > 0) {
      fail("requests of others failed", String.valueOf(beside.failed()), "");
    }
    failureCounts.forEach((why, count) -> out.println("FAILED " + count + " times: " + why));
    return failures.isEmpty() ? 0 : 1;
  }

  /// Looks whether a node still answers, so that a load ends with it: what is sent to a dead node
  /// says nothing, and one that hangs would be waited for once a request.
  private static final class NodeWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// Looks in a row that were not answered, after which the node is dead.
    private static final int LOOKS_MAX = 5;

    private final URI url;
    private final Duration patience;
    private final Runnable onDeath;
    private final Thread thread;
    private volatile boolean isStopped;
    private volatile boolean isDead;

    /// @param patience how long one look waits
    /// @param onDeath told once
    NodeWatch(URI url, Duration patience, Runnable onDeath) {
      this.url = url;
      this.patience = patience;
      this.onDeath = onDeath;
      this.thread = Thread.ofPlatform().daemon().unstarted(this::watch);
    }

    void start() {
      thread.start();
    }

    /// Whether it has been found dead.
    boolean isDead() {
      return isDead;
    }

    private void watch() {
      int missed = 0;
      while (!isStopped && !isDead) {
        missed = answers() ? 0 : missed + 1;
        if (missed == LOOKS_MAX && !isStopped) {
          isDead = true;
          onDeath.run();
        }
        if (!isStopped && !isDead && !pause()) {
          return;
        }
      }
    }

    /// Whether it answers any of several looks.
    boolean lives() {
      for (int tries = 0; tries < LOOKS_MAX; tries++) {
        if (answers()) {
          return true;
        }
        if (!pause()) {
          return false;
        }
      }
      return false;
    }

    private boolean answers() {
      try (Server fresh = new Server(url, patience)) {
        return fresh.send("GET", "/", "").status() == 200;
      } catch (IOException | NumberFormatException e) {
        return false;
      }
    }

    /// @return whether the thread may go on
    private static boolean pause() {
      try {
        Thread.sleep(PAUSE);
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public void close() {
      isStopped = true;
      thread.interrupt();
    }
  }
}
