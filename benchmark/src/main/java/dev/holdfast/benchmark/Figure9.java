package dev.holdfast.benchmark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.benchmark.report.Chart;
import dev.holdfast.benchmark.report.Machine;
import dev.holdfast.benchmark.report.Table;
import dev.holdfast.indexing.call.ShardFigure;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.world.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark figure-9`: the paper's figure 9 (§8.1), object store PUTs and traffic
/// between the nodes by the number of commits that a virtual batch may hold. 100,000 documents;
/// then 4 clients update 100 random documents of a slice of the last 10,000 each and refresh, and 4
/// clients search 100 of the last 10,000 by id. It differs from the paper's run in that points take
/// seconds rather than minutes: each ends when two batches have been filled; and to make so many
/// commits in that time, the log does not wait 200 ms for company. Writes `figure-9.csv` and
/// `figure-9.png`; wants 100 × fewer PUTs than the naive one a commit, when a batch may hold 100.
@Command(
    name = "figure-9",
    mixinStandardHelpOptions = true,
    description = "PUTs and traffic by VBCC max commits (the paper's figure 9).")
final class Figure9 implements Callable<Integer> {
  static final int DOCUMENTS = 100_000;
  static final int UPDATED = 10_000;
  static final int BULK = 100;
  static final int CLIENTS = 4;
  private static final int FILL_BULK = 10_000;
  private static final double SAVING_WANTED = 100;

  @Option(names = "--seconds", description = "of a point at least (default: ${DEFAULT-VALUE})")
  private double secondsMin = 6;

  @Option(names = "--seconds-max", description = "of a point (default: ${DEFAULT-VALUE})")
  private double secondsMax = 60;

  @Option(names = "--latency", description = "of a request, in ms (default: ${DEFAULT-VALUE})")
  private double latencyMillis = 5;

  @Option(
      names = "--commits",
      split = ",",
      description = "in a batch at most, ascending (default: ${DEFAULT-VALUE})")
  private List<Integer> commits = List.of(1, 2, 5, 10, 20, 50, 100);

  @Option(names = "--out", description = "folder for the results (default: ${DEFAULT-VALUE})")
  private Path out = Path.of(".");

  @Option(names = "--seed", description = "(default: ${DEFAULT-VALUE})")
  private long seed = 42;

  @Override
  public Integer call() throws Exception {
    Table table =
        new Table(
            "max commits",
            "commits",
            "BCC PUTs",
            "commits a BCC PUT",
            "BCC PUTs a minute",
            "BCC GETs by search a minute",
            "node traffic MiB a minute",
            "updated documents a s",
            "searches a s",
            "translog PUTs a minute");
    for (int most : commits) {
      point(most, table);
    }
    Files.createDirectories(out);
    table.write(out.resolve("figure-9.csv"));
    new Chart(
            "VBCC max commits: PUTs, GETs and traffic",
            Machine.words(),
            "max commits",
            table.names(),
            List.of(
                table.curve("BCC PUTs a minute"),
                table.curve("commits a BCC PUT"),
                table.curve("BCC GETs by search a minute"),
                table.curve("node traffic MiB a minute"),
                table.curve("updated documents a s"),
                table.curve("searches a s")))
        .write(out.resolve("figure-9.png"));
    int last = table.names().size() - 1;
    double saving = table.value(last, "commits a BCC PUT");
    System.out.printf(
        "%.0f x fewer BCC PUTs than one a commit with %s commits a batch (wanted: %.0f), %.0f x"
            + " fewer than with %s; curves in %s%n",
        saving,
        table.names().get(last),
        SAVING_WANTED,
        saving / table.value(0, "commits a BCC PUT"),
        table.names().getFirst(),
        out);
    return saving >= SAVING_WANTED ? 0 : 1;
  }

  private void point(int most, Table table) throws Exception {
    try (Scratch scratch = Scratch.create();
        Cluster cluster =
            new Cluster(
                scratch.folder(),
                LogConfig.unmetered(),
                Cluster.indexing(most, Duration.ofHours(1)))) {
      fill(cluster, new Random(seed));
      cluster.latency(latencyMillis);
      Counts before = Counts.of(cluster);
      int blobsBefore = cluster.commitsByBlob().size();
      try (LoadClients clients = new LoadClients(seed)) {
        long start = System.nanoTime();
        clients.start(
            CLIENTS,
            (client, random) -> {
              cluster.write(slice(client, CLIENTS, random), random);
              cluster.indexing.refresh(cluster.shard);
            });
        clients.start(CLIENTS, (_, random) -> search(cluster, random));
        double seconds = 0;
        Counts now = before;
        while (seconds < secondsMin || (seconds < secondsMax && now.uploads - before.uploads < 2)) {
          Thread.sleep(20);
          seconds = (System.nanoTime() - start) / 1e9;
          now = Counts.of(cluster);
        }
        clients.stop();
        int updates = clients.await(0, CLIENTS).size();
        int searches = clients.await(CLIENTS, CLIENTS).size();
        List<Integer> blobs = cluster.commitsByBlob();
        double minutes = seconds / 60;
        table.add(
            Integer.toString(most),
            (double) (now.commits - before.commits),
            (double) (now.uploads - before.uploads),
            blobs.subList(0, blobs.size() - blobsBefore).stream()
                .mapToInt(count -> count)
                .average()
                .orElse(0),
            (now.uploads - before.uploads) / minutes,
            (now.searchGets - before.searchGets) / minutes,
            (now.traffic - before.traffic) / (double) (1 << 20) / minutes,
            updates * BULK / seconds,
            searches / seconds,
            (now.logPuts - before.logPuts) / minutes);
      }
    }
  }

  private record Counts(long commits, long uploads, long searchGets, long traffic, long logPuts) {
    static Counts of(Cluster cluster) throws Exception {
      return new Counts(
          cluster.indexing.stats(cluster.shard).figure(ShardFigure.REFRESHES),
          cluster.requests(Purpose.COMMIT_UPLOAD, RequestKind.PUT),
          cluster.requests(Purpose.SEARCH, RequestKind.GET),
          cluster.chunkBytes.sum(),
          cluster.requests(Purpose.TRANSLOG, RequestKind.PUT));
    }
  }

  /// The documents that are there before anything is measured.
  static void fill(Cluster cluster, Random random) throws Exception {
    for (int from = 0; from < DOCUMENTS; from += FILL_BULK) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = from; i < from + FILL_BULK; i++) {
        numbers.add(i);
      }
      cluster.write(numbers, random);
    }
    cluster.indexing.refresh(cluster.shard);
    cluster.indexing.flush(cluster.shard);
  }

  /// Random documents of a client's slice of the last ones.
  static List<Integer> slice(int client, int clients, Random random) {
    int size = UPDATED / clients;
    int start = DOCUMENTS - UPDATED + client * size;
    return random.ints(start, start + size).distinct().limit(BULK).boxed().toList();
  }

  private static void search(Cluster cluster, Random random) throws Exception {
    ObjectNode body = Json.object();
    body.put("size", BULK);
    var ids = body.putObject("query").putObject("ids").putArray("values");
    random
        .ints(DOCUMENTS - UPDATED, DOCUMENTS)
        .distinct()
        .limit(BULK)
        .forEach(number -> ids.add(Integer.toString(number)));
    var _ =
        cluster.searches.search(
            List.of(cluster.shard.index()), SearchParser.parse(body), () -> false);
  }
}
