package dev.holdfast.benchmark;

import dev.holdfast.benchmark.report.Chart;
import dev.holdfast.benchmark.report.Machine;
import dev.holdfast.benchmark.report.Table;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark shipper`: the two cases of the article that brought compressed logs to
/// Filebeat, one file of 45 GB and 4,150 files of 10 MB, scaled, plain against gzip, with
/// processors and without: events a second, processor time and memory over time, as CSV and PNG.
/// The server says yes to everything, unless one is named. Fluent Bit ships the same files beside
/// it, where it is installed.
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

  @Option(
      names = "--body-level",
      description = "how hard bodies are compressed with gzip, 0 not (default: ${DEFAULT-VALUE})")
  private int bodyLevel = 1;

  @Option(
      names = "--rounds",
      description = "of each run, of which the medians count (default: ${DEFAULT-VALUE})")
  private int rounds = 1;

  @Option(names = "--fluent-bit", description = "its program: it ships the same files in turn")
  private @Nullable Path fluentBit;

  @Option(
      names = "--fluent-bit-buffer",
      description = "of each file that it reads (default: ${DEFAULT-VALUE})")
  private String fluentBitBuffer = "512k";

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
        run(each, withProcessors, summary, rows);
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

  /// Says how much slower or faster compressed logs are than the same logs plain, and the shipper
  /// than Fluent Bit for each second of processor time.
  private static void compare(Table summary) {
    List<String> names = summary.names();
    for (int row = 0; row < names.size(); row++) {
      String name = names.get(row);
      int plain = names.indexOf(name.replace("-gzip", "-plain"));
      if (plain >= 0 && plain != row) {
        double times = summary.value(row, "events a s") / summary.value(plain, "events a s");
        System.out.printf(Locale.ROOT, "%s: %+.1f %% events a second%n", name, 100 * (times - 1));
      }
      int peer = names.indexOf("fluent-bit-" + name);
      if (peer >= 0) {
        double times = summary.value(row, "events a CPU s") / summary.value(peer, "events a CPU s");
        System.out.printf(Locale.ROOT, "%s: %.1f times Fluent Bit a CPU second%n", name, times);
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

  /// @param name of the program and its logs
  /// @param lines that are there
  /// @param looks at each of its runs
  private record Contender(
      String name,
      ShipperProgram program,
      Path logs,
      long lines,
      List<List<ShipperProcess.Look>> looks) {
    double median(ToDoubleFunction<ShipperProcess.Look> figure) {
      double[] sorted = looks.stream().map(List::getLast).mapToDouble(figure).sorted().toArray();
      return sorted[sorted.length / 2];
    }

    /// The run in the middle by its time.
    List<ShipperProcess.Look> middle() {
      List<List<ShipperProcess.Look>> sorted = new ArrayList<>(looks);
      sorted.sort(Comparator.comparingDouble(run -> run.getLast().seconds()));
      return sorted.get(sorted.size() / 2);
    }
  }

  private void run(Case each, boolean withProcessors, Table summary, List<String> rows)
      throws Exception {
    try (Scratch scratch = Scratch.create();
        BulkSink sink = new BulkSink()) {
      URI url = URI.create(output == null ? sink.url() : output);
      List<Contender> contenders = new ArrayList<>();
      for (boolean isCompressed : List.of(false, true)) {
        String name =
            each.name
                + (isCompressed ? "-gzip" : "-plain")
                + (withProcessors ? "-processors" : "")
                + (onDisk ? "-disk-queue" : "");
        Path logs = scratch.resolve("logs-" + name);
        long lines = new LogFiles(each.files, each.bytesEach, isCompressed, seed).write(logs);
        for (ShipperProgram program : programs(withProcessors)) {
          String prefixed = program.prefix() + name;
          contenders.add(new Contender(prefixed, program, logs, lines, new ArrayList<>()));
        }
      }
      // In turn: what a machine does beside comes to all of them.
      for (int round = 0; round < Math.max(1, rounds); round++) {
        for (Contender contender : contenders) {
          Path folder = scratch.resolve(contender.name + "-" + round);
          Files.createDirectories(folder);
          ShipperProcess process = new ShipperProcess(contender.program, folder);
          List<ShipperProcess.Look> looks =
              process.ship(contender.logs, url, contender.lines, secondsMax);
          contender.looks.add(looks);
          ShipperProcess.Look last = looks.getLast();
          System.out.printf(
              Locale.ROOT,
              "%s, round %d: %.2f s, %.2f s of processor time%n",
              contender.name,
              round + 1,
              last.seconds(),
              last.cpuSeconds());
        }
      }
      for (Contender contender : contenders) {
        add(contender, summary, rows);
      }
    }
  }

  private void add(Contender contender, Table summary, List<String> rows) throws Exception {
    double seconds = contender.median(ShipperProcess.Look::seconds);
    double cpuSeconds = contender.median(ShipperProcess.Look::cpuSeconds);
    summary.add(
        contender.name,
        (double) contender.lines,
        seconds,
        contender.lines / seconds,
        cpuSeconds,
        contender.lines / cpuSeconds,
        contender.median(ShipperProcess.Look::peakKib) / 1024.0);
    draw(contender.name, contender.middle(), rows);
  }

  private List<ShipperProgram> programs(boolean withProcessors) {
    String more = onDisk ? "queue.disk: {max_size: 10GB}\n" : "";
    List<ShipperProgram> programs = new ArrayList<>();
    programs.add(new HoldfastShipper(shipper, port, bodyLevel, withProcessors, more));
    if (fluentBit != null && !withProcessors) {
      programs.add(new FluentBit(fluentBit, port, bodyLevel > 0, fluentBitBuffer));
    }
    return programs;
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
