package dev.holdfast.benchmark;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A shipper at work on a folder of logs, looked at until every line was acknowledged.
final class ShipperProcess {
  private static final long LOOK_NANOS = 500_000_000;

  /// The end is seen so soon.
  private static final long ASK_NANOS = 50_000_000;

  private static final double TICKS_A_SECOND = 100;

  /// What was seen at one look.
  ///
  /// @param seconds since the start
  /// @param cpuSeconds used since the start, user and system
  /// @param residentKib resident memory
  /// @param peakKib the most of it so far, between two looks too
  record Look(double seconds, long events, double cpuSeconds, long residentKib, long peakKib) {}

  private final ShipperProgram program;
  private final Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  /// @param folder for what it writes
  ShipperProcess(ShipperProgram program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /// Ships the logs in a folder.
  ///
  /// @param lines that are there
  /// @param secondsMax after which it is given up
  /// @throws IOException when it ended by itself, or did not come to the end in time
  List<Look> ship(Path logs, URI url, long lines, double secondsMax)
      throws IOException, InterruptedException {
    List<String> command = program.configure(folder, logs, url);
    Path log = folder.resolve("shipper.log");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      List<Look> looks = new ArrayList<>();
      looks.add(new Look(0, 0, 0, 0, 0));
      for (long events = 0; events < lines; ) {
        TimeUnit.NANOSECONDS.sleep(ASK_NANOS);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (!process.isAlive() || seconds > secondsMax) {
          throw new IOException(
              "%,d of %,d lines were shipped in %.0f s: see %s"
                  .formatted(events, lines, seconds, Files.readString(log)));
        }
        events = acknowledged();
        if (events >= lines || seconds >= looks.getLast().seconds + LOOK_NANOS / 1e9) {
          long resident = kib(process, "VmRSS:");
          looks.add(
              new Look(seconds, events, cpuSeconds(process), resident, kib(process, "VmHWM:")));
        }
      }
      return looks;
    } finally {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        var _ = process.destroyForcibly();
      }
    }
  }

  private long acknowledged() throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(program.metrics()).build();
    String prefix = program.acknowledged();
    try {
      return client
          .send(request, HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(prefix))
          // A time may follow.
          .mapToLong(line -> Long.parseLong(line.substring(prefix.length()).split(" ", 2)[0]))
          .sum();
    } catch (IOException _) {
      return 0; // it does not listen yet
    }
  }

  private static double cpuSeconds(Process process) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_A_SECOND;
  }

  private static long kib(Process process, String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
        .sum();
  }
}
