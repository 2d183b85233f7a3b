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

/// `./holdfast benchmark figure-12`: the paper's figure 12 (§8.2), throughput and latency of bulk
/// indexing by the number of indexing processes: each has the same share of the processors and the
/// same number of clients, and all serve one index, whose shards they divide among them. Nodes warm
/// up with all processors before they get their shares. A search node, the S3 server and the
/// clients have what is left: the shares together should leave them enough. Writes `figure-12.csv`
/// and `figure-12.png`; exits with 1 when a document failed or was lost.
@Command(
    name = "figure-12",
    mixinStandardHelpOptions = true,
    description = "Throughput and latency of bulks by indexing processes (figure 12).")
public final class Figure12 implements Callable<Integer> {
  private static final int BODIES = 64;

  /// A node takes the size of its pools from the processors that it sees as it starts, and those
  /// are not yet its share.
  private static final String ONE_PROCESSOR = "-XX:ActiveProcessorCount=1";

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--processes", split = ",", description = "ascending (default: ${DEFAULT-VALUE})")
  private List<Integer> processes = List.of(1, 2, 4);

  @Option(names = "--clients", description = "a process (default: ${DEFAULT-VALUE})")
  private int clients = 4;

  @Option(names = "--seconds", description = "of each point (default: ${DEFAULT-VALUE})")
  private int seconds = 60;

  @Option(names = "--warm-seconds", description = "of each point (default: ${DEFAULT-VALUE})")
  private int warmSeconds = 60;

  @Option(names = "--cores", description = "of each process (default: ${DEFAULT-VALUE})")
  private double cores = 0.25;

  @Option(names = "--heap", description = "of each node (default: ${DEFAULT-VALUE})")
  private String heap = "1g";

  @Option(names = "--bulk", description = "documents (default: ${DEFAULT-VALUE})")
  private int bulk = 200;

  @Option(names = "--shards", description = "(default: ${DEFAULT-VALUE})")
  private int shards = 4;

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
    Table table =
        new Table(
            "processes",
            "documents a s",
            "documents a s and process",
            "p50 ms",
            "p99 ms",
            "refused");
    for (int many : processes) {
      point(many, home.resolve("processes-" + many), table);
    }
    Files.createDirectories(out);
    table.write(out.resolve("figure-12.csv"));
    String note =
        String.format(
            Locale.ROOT,
            "%.2f cores and %d clients a process, %d shards, bulks of %d; %s",
            cores,
            clients,
            shards,
            bulk,
            machine);
    new Chart(
            "Bulk indexing by indexing processes",
            note,
            "processes",
            table.names(),
            List.of(table.curve("documents a s"), table.curve("p50 ms"), table.curve("p99 ms")))
        .write(out.resolve("figure-12.png"));
    System.out.println("curves in " + out);
    return isGood ? 0 : 1;
  }

  private void point(int many, Path home, Table table) throws Exception {
    List<CpuShare> shares = new ArrayList<>();
    try {
      for (int i = 0; i < many; i++) {
        shares.add(CpuShare.create("figure-12-" + i, Runtime.getRuntime().availableProcessors()));
      }
      try (HoldfastNodes nodes = new HoldfastNodes(common, home, port, heap)) {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < many; i++) {
          addresses.add(
              nodes
                  .start("index-" + i, "index", shares.get(i).inside(), ONE_PROCESSOR)
                  .place()
                  .address());
        }
        var _ = nodes.start("search", "search", List.of(), ONE_PROCESSOR);
        measure(many, addresses, shares, table);
      }
    } finally {
      for (CpuShare share : shares) {
        share.close();
      }
    }
  }

  private void measure(int many, List<String> addresses, List<CpuShare> shares, Table table)
      throws Exception {
    IndexedEvents events = new IndexedEvents(addresses.getFirst());
    events.create(shards, 1);
    BulkLoad.Sample all = new BulkLoad.Sample();
    try (BulkLoad load =
        new BulkLoad(
            addresses,
            EventBulks.bodies(BODIES, bulk, common.seed),
            bulk,
            Duration.ZERO,
            many * clients)) {
      load.clients(many * clients);
      Thread.sleep(Duration.ofSeconds(warmSeconds));
      for (CpuShare share : shares) {
        share.set(cores);
      }
      // What was on its way had more than its share.
      Thread.sleep(Duration.ofSeconds(Math.min(5, seconds)));
      all.add(load.take());
      Thread.sleep(Duration.ofSeconds(seconds));
      BulkLoad.Sample sample = load.take();
      all.add(sample);
      table.add(
          Integer.toString(many),
          sample.documents / (double) seconds,
          sample.documents / (double) seconds / many,
          sample.percentile(0.5),
          sample.percentile(0.99),
          (double) sample.refused);
      for (CpuShare share : shares) {
        share.set(Runtime.getRuntime().availableProcessors());
      }
      load.end();
      all.add(load.take());
    }
    isGood &= events.hasAll(many + " processes", all);
  }
}
