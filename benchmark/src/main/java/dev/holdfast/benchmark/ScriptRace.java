package dev.holdfast.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark scripts`: what scripts cost two servers over the same documents, the taxi
/// rides of a Rally corpus. The servers take turns; what counts is the processor time of their
/// processes. Runtime fields are asked of the peer as value scripts of aggregations when it has
/// none.
@Command(
    name = "scripts",
    mixinStandardHelpOptions = true,
    description = "Processor time of scripts in two servers: queries, sorts, fields, updates.")
final class ScriptRace implements Callable<Integer> {
  static final String INDEX = "script-race";
  private static final double MEDIAN_MAX = 0.8;
  private static final double WORST_MAX = 1.1;
  private static final int BULK_LINES = 1000;
  private static final int UPDATES = 10_000;

  /// Of a sample, at the least: ticks of the process clock are hundredths of a second.
  private static final double SAMPLE_MILLIS = 400;

  private static final int WARM_SAMPLES = 10;

  /// More requests than it takes to be warm: those that count have greater numbers.
  private static final int WARM_MAX = 1_000_000;

  @Option(names = "--url", description = "Holdfast (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:9200");

  @Option(names = "--pid", required = true, description = "of Holdfast")
  private long pid;

  @Option(names = "--peer", description = "the other server (default: ${DEFAULT-VALUE})")
  private URI peerUrl = URI.create("http://127.0.0.1:19201");

  @Option(names = "--peer-pid", required = true, description = "of the other server")
  private long peerPid;

  @Option(names = "--corpus", description = "documents, one a line; loaded when it is given")
  private @Nullable Path corpus;

  @Option(names = "--rounds", description = "(default: ${DEFAULT-VALUE})")
  private int rounds = 5;

  @Option(names = "--only", description = "operations whose name contains this")
  private String only = "";

  /// One line of the table: processor time of one request, milliseconds.
  private record Row(String name, double ours, double theirs, boolean isSame) {
    double ratio() {
      return ours / theirs;
    }
  }

  @Override
  public Integer call() throws Exception {
    List<RacedServer> servers =
        List.of(RacedServer.of("holdfast", url, pid), RacedServer.of("peer", peerUrl, peerPid));
    boolean hasRuntimeFields =
        !servers
            .get(1)
            .ask("GET", "/", "")
            .at("/version/distribution")
            .asText()
            .equals("opensearch");
    if (corpus != null) {
      for (RacedServer server : servers) {
        load(server, corpus);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (RacedScript one : RacedScript.all()) {
      if (one.name().contains(only)) {
        rows.add(race(one, servers, hasRuntimeFields));
        tell(rows.getLast());
      }
    }
    return verdict(rows);
  }

  private static void load(RacedServer server, Path corpus) throws Exception {
    try {
      JsonNode _ = server.ask("DELETE", "/" + INDEX, "");
    } catch (IOException e) {
      System.out.println(server.name() + " has no such index yet");
    }
    JsonNode _ = server.ask("PUT", "/" + INDEX, RacedScript.MAPPING);
    double before = server.cpuMillis();
    int documents = 0;
    StringBuilder lines = new StringBuilder();
    try (BufferedReader in = Files.newBufferedReader(corpus)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.append("{\"index\":{\"_id\":\"").append(documents++).append("\"}}\n");
        lines.append(line).append('\n');
        if (documents % BULK_LINES == 0) {
          JsonNode _ = server.ask("POST", "/" + INDEX + "/_bulk", lines.toString());
          lines.setLength(0);
        }
      }
    }
    if (!lines.isEmpty()) {
      JsonNode _ = server.ask("POST", "/" + INDEX + "/_bulk", lines.toString());
    }
    JsonNode _ = server.ask("POST", "/" + INDEX + "/_forcemerge?max_num_segments=1", "");
    JsonNode _ = server.ask("POST", "/" + INDEX + "/_refresh", "");
    System.out.printf(
        Locale.ROOT,
        "%s: %,d documents, %.0f ms of processor time%n",
        server.name(),
        documents,
        server.cpuMillis() - before);
  }

  private Row race(RacedScript one, List<RacedServer> servers, boolean hasRuntimeFields)
      throws Exception {
    int times = warm(one, servers, hasRuntimeFields);
    double[][] costs = new double[servers.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < servers.size(); i++) {
        RacedServer server = servers.get(i);
        double before = server.cpuMillis();
        for (int time = 0; time < times; time++) {
          JsonNode _ =
              run(one, server, i == 0 || hasRuntimeFields, WARM_MAX + round * times + time);
        }
        costs[i][round] = (server.cpuMillis() - before) / times;
      }
    }
    boolean isSame =
        one.isUpdate()
            || one.essence(run(one, servers.get(0), true, 7))
                .equals(one.essence(run(one, servers.get(1), hasRuntimeFields, 7)));
    return new Row(one.name(), median(costs[0]), median(costs[1]), isSame);
  }

  /// Asks until both are warm: each has worked for as long, however long it has been up before.
  ///
  /// @return how many requests make a sample that is long enough to be measured
  private int warm(RacedScript one, List<RacedServer> servers, boolean hasRuntimeFields)
      throws Exception {
    int times = 0;
    for (int i = 0; i < servers.size(); i++) {
      double before = servers.get(i).cpuMillis();
      int asked = 0;
      while (servers.get(i).cpuMillis() - before < WARM_SAMPLES * SAMPLE_MILLIS) {
        JsonNode _ = run(one, servers.get(i), i == 0 || hasRuntimeFields, asked++);
      }
      times = Math.max(times, asked / WARM_SAMPLES + 1);
    }
    return times;
  }

  private static JsonNode run(
      RacedScript one, RacedServer server, boolean hasRuntimeFields, int number) throws Exception {
    if (!one.isUpdate()) {
      return server.ask(
          "POST", "/" + INDEX + "/_search?request_cache=false", one.body(hasRuntimeFields, number));
    }
    JsonNode last = Json.object();
    for (int from = 0; from < UPDATES; from += BULK_LINES) {
      StringBuilder lines = new StringBuilder();
      for (int id = from; id < from + BULK_LINES; id++) {
        ObjectNode action = Json.object();
        action.putObject("update").put("_id", Integer.toString(id));
        lines.append(action).append('\n').append(one.body(true, number)).append('\n');
      }
      last = server.ask("POST", "/" + INDEX + "/_bulk", lines.toString());
    }
    return last;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static void tell(Row row) {
    System.out.printf(
        Locale.ROOT,
        "%-28s %10.2f ms %10.2f ms   %5.2f   %s%n",
        row.name,
        row.ours,
        row.theirs,
        row.ratio(),
        row.isSame ? "same answer" : "ANSWERS DIFFER");
  }

  private static int verdict(List<Row> rows) {
    double median = median(rows.stream().mapToDouble(Row::ratio).toArray());
    double worst = rows.stream().mapToDouble(Row::ratio).max().orElse(0);
    System.out.printf(
        Locale.ROOT,
        "median of the ratios %.2f (at most %.1f is wanted), the largest %.2f (at most %.1f)%n",
        median,
        MEDIAN_MAX,
        worst,
        WORST_MAX);
    return median <= MEDIAN_MAX && worst <= WORST_MAX && rows.stream().allMatch(Row::isSame)
        ? 0
        : 1;
  }
}
