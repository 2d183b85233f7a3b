package dev.holdfast.benchmark;

import dev.holdfast.benchmark.report.Chart;
import dev.holdfast.benchmark.report.Machine;
import dev.holdfast.benchmark.report.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark shipper`: the two cases of the article that brought compressed logs to
/// Filebeat, one file of 45 GB and 4,150 files of 10 MB, scaled, plain against gzip, with
/// processors and without: events a second, processor time and memory over time, as CSV and PNG.
/// The server says yes to everything, unless one is named.
@Command(
    name = "shipper",
    mixinStandardHelpOptions = true,
    description = "Logs plain against gzip: events, processor time and memory of the shipper.")
final class ShipperLoad implements Callable<Integer> {
  private static final long ONE_BYTES = 45_000_000_000L;
  private static final int MANY = 4150;
  private static final long MANY_BYTES = 10_000_000;
  private static final int METRICS_PORT = 23_850;

  @Option(names = "--scale", description = "of the cases' sizes (default: ${DEFAULT-VALUE})")
  private double scale = 0.01;

  @Option(names = "--files", description = "how many they are (default: 4,150, scaled)")
  private int files;

  @Option(names = "--many-bytes", description = "of each of many files (default: ${DEFAULT-VALUE})")
  private long manyBytes = MANY_BYTES;

  @Option(names = "--output", description = "a node to ship to (default: a server that says yes)")
  private @Nullable String output;

  @Option(names = "--processors", description = "runs with processors too", negatable = true)
  private boolean processors;

  @Option(names = "--disk-queue", description = "events wait in a queue on disk", negatable = true)
  private boolean onDisk;

  @Option(names = "--shipper", required = true, description = "the program")
  private Path shipper = Path.of("");

  @Option(names = "--port", description = "of its metrics (default: ${DEFAULT-VALUE})")
  private int port = METRICS_PORT;

  @Option(names = "--seconds-max", description = "of a run (default: ${DEFAULT-VALUE})")
  private double secondsMax = 3600;

  @Option(names = "--out", description = "folder for the results (default: ${DEFAULT-VALUE})")
  private Path out = Path.of(".");

  @Option(names = "--seed", description = "(default: ${DEFAULT-VALUE})")
  private long seed = 42;

  @Override
  public Integer call() throws Exception {
    Files.createDirectories(out);
    Table summary =
        new Table("run", "lines", "seconds", "events a s", "CPU s", "events a CPU s", "peak MiB");
    List<String> rows = new ArrayList<>();
    rows.add("run,seconds,events a s,CPU %,RSS MiB");
    for (Case each : cases()) {
      for (boolean withProcessors : processors ? List.of(false, true) : List.of(false)) {
        for (boolean isCompressed : List.of(false, true)) {
          run(each, isCompressed, withProcessors, summary, rows);
        }
      }
    }
    summary.write(out.resolve("shipper-summary.csv"));
    new Chart(
            "Shipper: plain against gzip",
            Machine.words(),
            "run",
            summary.names(),
            List.of(
                summary.curve("events a s"),
                summary.curve("events a CPU s"),
                summary.curve("peak MiB")))
        .write(out.resolve("shipper-summary.png"));
    compare(summary);
    var _ = Files.write(out.resolve("shipper-over-time.csv"), rows);
    return 0;
  }

  /// Says how much slower or faster compressed logs are than the same logs plain.
  private static void compare(Table summary) {
    List<String> names = summary.names();
    for (int row = 0; row < names.size(); row++) {
      int plain = names.indexOf(names.get(row).replace("-gzip", "-plain"));
      if (plain >= 0 && plain != row) {
        double times = summary.value(row, "events a s") / summary.value(plain, "events a s");
        System.out.printf(
            Locale.ROOT, "%s: %+.1f %% events a second%n", names.get(row), 100 * (times - 1));
      }
    }
  }

  /// @param name what its results are called
  private record Case(String name, int files, long bytesEach) {}

  private List<Case> cases() {
    return List.of(
        new Case("one", 1, (long) (ONE_BYTES * scale)),
        new Case(
            "many", files > 0 ? files : (int) Math.max(1, Math.round(MANY * scale)), manyBytes));
  }

  private void run(
      Case each, boolean isCompressed, boolean withProcessors, Table summary, List<String> rows)
      throws Exception {
    String name =
        each.name
            + (isCompressed ? "-gzip" : "-plain")
            + (withProcessors ? "-processors" : "")
            + (onDisk ? "-disk-queue" : "");
    try (Scratch scratch = Scratch.create();
        BulkSink sink = new BulkSink()) {
      LogFiles logs = new LogFiles(each.files, each.bytesEach, isCompressed, seed);
      long lines = logs.write(scratch.resolve("logs"));
      String more = onDisk ? "queue.disk: {max_size: 10GB}\n" : "";
      ShipperProcess process = new ShipperProcess(shipper, scratch.folder(), port, more);
      String url = output == null ? sink.url() : output;
      List<ShipperProcess.Look> looks = process.ship(url, withProcessors, lines, secondsMax);
      ShipperProcess.Look last = looks.getLast();
      summary.add(
          name,
          (double) lines,
          last.seconds(),
          lines / last.seconds(),
          last.cpuSeconds(),
          lines / last.cpuSeconds(),
          last.peakKib() / 1024.0);
      draw(name, looks, rows);
    }
  }

  private void draw(String name, List<ShipperProcess.Look> looks, List<String> rows)
      throws Exception {
    List<String> points = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    List<Double> memory = new ArrayList<>();
    for (int at = 1; at < looks.size(); at++) {
      ShipperProcess.Look before = looks.get(at - 1);
      ShipperProcess.Look now = looks.get(at);
      double seconds = now.seconds() - before.seconds();
      points.add(String.format(Locale.ROOT, "%.0f", now.seconds()));
      rates.add((now.events() - before.events()) / seconds);
      shares.add(100 * (now.cpuSeconds() - before.cpuSeconds()) / seconds);
      memory.add(now.residentKib() / 1024.0);
      rows.add(
          String.format(
              Locale.ROOT,
              "%s,%.2f,%.0f,%.1f,%.2f",
              name,
              now.seconds(),
              rates.getLast(),
              shares.getLast(),
              memory.getLast()));
    }
    List<Chart.Panel> panels =
        List.of(
            Chart.Panel.of("events a second", rates),
            Chart.Panel.of("CPU %", shares),
            Chart.Panel.of("RSS MiB", memory));
    new Chart("Shipper: " + name, Machine.words(), "seconds", points, panels)
        .write(out.resolve("shipper-" + name + ".png"));
  }
}
