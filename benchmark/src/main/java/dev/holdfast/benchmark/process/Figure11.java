package dev.holdfast.benchmark.process;

import dev.holdfast.benchmark.report.Chart;
import dev.holdfast.benchmark.report.Machine;
import dev.holdfast.benchmark.report.Table;
import dev.holdfast.chaos.node.CommonOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./holdfast benchmark figure-11`: the paper's figure 11 (§8.2), throughput and latency of bulk
/// indexing by the number of clients, beside Elasticsearch with one replica. An indexing and a
/// search node over an S3 server, then two nodes of Elasticsearch, one cluster at a time and all of
/// its processes in one share of the processors; the S3 server and the clients have the rest. It
/// differs from the paper's run in its size, and in that the store is a folder of this machine,
/// without the latency of a network. Writes `figure-11.csv` and `figure-11.png`; exits with 1 when
/// a document was not acknowledged for another reason than that there was too much to do, or was
/// lost.
@Command(
    name = "figure-11",
    mixinStandardHelpOptions = true,
    description = "Throughput and latency of bulks by clients, beside Elasticsearch (figure 11).")
public final class Figure11 implements Callable<Integer> {
  private static final int BODIES = 64;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--elasticsearch",
      required = true,
      description = "script that runs a node in the foreground: SCRIPT DATA PORT setting=value …")
  private Path elasticsearch = Path.of("");

  @Option(names = "--clients", split = ",", description = "ascending (default: ${DEFAULT-VALUE})")
  private List<Integer> clients = List.of(1, 2, 4, 8, 16, 32, 64, 96);

  @Option(names = "--seconds", description = "of each point (default: ${DEFAULT-VALUE})")
  private int seconds = 20;

  @Option(names = "--warm-seconds", description = "of each cluster (default: ${DEFAULT-VALUE})")
  private int warmSeconds = 60;

  @Option(names = "--cores", description = "of each cluster (default: ${DEFAULT-VALUE})")
  private double cores = 1;

  @Option(names = "--heap", description = "of each node (default: ${DEFAULT-VALUE})")
  private String heap = "1g";

  @Option(names = "--bulk", description = "documents (default: ${DEFAULT-VALUE})")
  private int bulk = 500;

  @Option(names = "--shards", description = "(default: ${DEFAULT-VALUE})")
  private int shards = 2;

  @Option(names = "--port", description = "of the first node (default: ${DEFAULT-VALUE})")
  private int port = 9310;

  @Option(names = "--out", description = "folder for the results (default: ${DEFAULT-VALUE})")
  private Path out = Path.of(".");

  private boolean isGood = true;

  @Override
  public Integer call() throws Exception {
    String machine = Machine.words();
    System.out.println(machine);
    Path home = common.home();
    System.out.println("data and logs in " + home);
    List<BulkLoad.Sample> ours;
    try (CpuShare share = CpuShare.create("figure-11-holdfast", cores);
        HoldfastNodes nodes = new HoldfastNodes(common, home.resolve("holdfast"), port, heap)) {
      var index = nodes.start("index", "index", share.inside(), "");
      var _ = nodes.start("search", "search", share.inside(), "");
      ours = sweep("holdfast", List.of(index.place().address()));
    }
    List<BulkLoad.Sample> theirs;
    try (CpuShare share = CpuShare.create("figure-11-elasticsearch", cores);
        ElasticsearchNodes nodes =
            new ElasticsearchNodes(
                elasticsearch.toAbsolutePath(),
                home.resolve("elasticsearch"),
                port,
                heap,
                share.inside())) {
      theirs = sweep("elasticsearch", nodes.addresses());
    }
    write(ours, theirs, machine);
    return isGood ? 0 : 1;
  }

  /// @return a sample for each number of clients
  private List<BulkLoad.Sample> sweep(String name, List<String> addresses) throws Exception {
    IndexedEvents events = new IndexedEvents(addresses.getFirst());
    events.create(shards, 1);
    List<BulkLoad.Sample> samples = new ArrayList<>();
    BulkLoad.Sample all = new BulkLoad.Sample();
    try (BulkLoad load =
        new BulkLoad(
            addresses,
            EventBulks.bodies(BODIES, bulk, common.seed),
            bulk,
            Duration.ZERO,
            clients.getLast())) {
      load.clients(clients.get(clients.size() / 2));
      Thread.sleep(Duration.ofSeconds(warmSeconds));
      for (int many : clients) {
        load.clients(many);
        all.add(load.take());
        Thread.sleep(Duration.ofSeconds(seconds));
        BulkLoad.Sample sample = load.take();
        samples.add(sample);
        all.add(sample);
        System.out.printf(
            Locale.ROOT,
            "%s, %d clients: %.0f documents a s, p50 %.0f ms, p99 %.0f ms, %d refused%n",
            name,
            many,
            sample.documents / (double) seconds,
            sample.percentile(0.5),
            sample.percentile(0.99),
            sample.refused);
      }
      load.end();
      all.add(load.take());
    }
    isGood &= events.hasAll(name, all);
    return samples;
  }

  private void write(List<BulkLoad.Sample> ours, List<BulkLoad.Sample> theirs, String machine)
      throws Exception {
    Table table =
        new Table(
            "clients",
            "documents a s",
            "p50 ms",
            "p99 ms",
            "refused",
            "Elasticsearch documents a s",
            "Elasticsearch p50 ms",
            "Elasticsearch p99 ms",
            "Elasticsearch refused");
    for (int i = 0; i < clients.size(); i++) {
      BulkLoad.Sample our = ours.get(i);
      BulkLoad.Sample their = theirs.get(i);
      table.add(
          Integer.toString(clients.get(i)),
          our.documents / (double) seconds,
          our.percentile(0.5),
          our.percentile(0.99),
          (double) our.refused,
          their.documents / (double) seconds,
          their.percentile(0.5),
          their.percentile(0.99),
          (double) their.refused);
    }
    Files.createDirectories(out);
    table.write(out.resolve("figure-11.csv"));
    String note =
        String.format(
            Locale.ROOT,
            "%.2f cores a cluster, %d shards, bulks of %d; %s",
            cores,
            shards,
            bulk,
            machine);
    new Chart(
            "Bulk indexing by clients, beside Elasticsearch with one replica",
            note,
            "clients",
            table.names(),
            List.of(both(table, "documents a s"), both(table, "p50 ms"), both(table, "p99 ms")))
        .write(out.resolve("figure-11.png"));
    System.out.println("curves in " + out);
  }

  private static Chart.Panel both(Table table, String column) {
    return new Chart.Panel(
        column,
        List.of(
            new Chart.Line("Holdfast", table.values(column)),
            new Chart.Line("Elasticsearch", table.values("Elasticsearch " + column))));
  }
}
