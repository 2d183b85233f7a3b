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

/// The shipper at work on a folder of logs, looked at until every line was acknowledged.
final class ShipperProcess {
  private static final long LOOK_NANOS = 500_000_000;
  private static final double TICKS_A_SECOND = 100;
  private static final String ACKED = "holdfast_shipper_output_events_acked_total ";

  /// What was seen at one look.
  ///
  /// @param seconds since the start
  /// @param cpuSeconds used since the start, user and system
  /// @param residentKib resident memory
  /// @param peakKib the most of it so far, between two looks too
  record Look(double seconds, long events, double cpuSeconds, long residentKib, long peakKib) {}

  private final Path binary;
  private final Path folder;
  private final int port;
  private final String more;
  private final HttpClient client = HttpClient.newHttpClient();

  /// @param port of its metrics
  /// @param more lines of its configuration
  ShipperProcess(Path binary, Path folder, int port, String more) {
    this.binary = binary;
    this.folder = folder;
    this.port = port;
    this.more = more;
  }

  /// Ships the logs in `folder/logs`.
  ///
  /// @param lines that are there
  /// @param secondsMax after which it is given up
  /// @throws IOException when it ended by itself, or did not come to the end in time
  List<Look> ship(String url, boolean processes, long lines, double secondsMax)
      throws IOException, InterruptedException {
    Path config = folder.resolve("shipper.yml");
    var _ = Files.writeString(config, configuration(url, processes));
    Path log = folder.resolve("shipper.log");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(binary.toString(), "-c", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      List<Look> looks = new ArrayList<>();
      looks.add(new Look(0, 0, 0, 0, 0));
      while (looks.getLast().events < lines) {
        TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (!process.isAlive() || seconds > secondsMax) {
          throw new IOException(
              "%,d of %,d lines were shipped in %.0f s: see %s"
                  .formatted(looks.getLast().events, lines, seconds, Files.readString(log)));
        }
        looks.add(
            new Look(
                seconds,
                acknowledged(),
                cpuSeconds(process),
                kib(process, "VmRSS:"),
                kib(process, "VmHWM:")));
      }
      return looks;
    } finally {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        var _ = process.destroyForcibly();
      }
    }
  }

  private String configuration(String url, boolean processes) {
    String processors =
        processes
            ? """
            processors:
              - add_host_metadata: ~
              - add_fields: {target: app, fields: {name: web}}
              - dissect: {tokenizer: '%{ip} - - [%{time}] "%{method} %{path} %{rest}', target_prefix: http}
              - add_tags: {tags: [web]}
            """
            : "";
    return """
    filebeat.inputs:
    - {type: filestream, id: benchmark, paths: ['%s/logs/*']}
    path.data: %s/data
    http: {enabled: true, host: 127.0.0.1, port: %d}
    logging.level: warning
    output.elasticsearch: {hosts: ['%s'], index: shipper-benchmark}
    %s%s\
    """
        .formatted(folder, folder, port, url, more, processors);
  }

  private long acknowledged() throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    try {
      return client
          .send(request, HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(ACKED))
          .mapToLong(line -> Long.parseLong(line.substring(ACKED.length())))
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
