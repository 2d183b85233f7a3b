package dev.holdfast.chaos.node;

import dev.holdfast.chaos.network.NodeAddress;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A real node: `./holdfast start` as a process that can be killed.
public final class NodeProcess {
  private static final Duration START_MAX = Duration.ofMinutes(5);
  private static final int STARTS_MAX = 5;

  private Path launcher;
  private final NodeAddress place;
  private final Path data;
  private final Map<String, String> environment;
  private final List<String> arguments;
  private Process process;
  private long startMillis;

  /// @param arguments of `start` beside its address and data folder
  /// @param environment credentials of the store
  public NodeProcess(
      Path launcher,
      NodeAddress place,
      Path data,
      List<String> arguments,
      Map<String, String> environment)
      throws IOException, InterruptedException {
    this.launcher = launcher;
    this.place = place;
    this.data = data;
    this.arguments = arguments;
    this.environment = environment;
    this.process = start();
  }

  private Process start() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(place.inside());
    command.addAll(
        List.of(
            launcher.toString(),
            "start",
            "--host",
            place.host(),
            "--port",
            Integer.toString(place.port()),
            "--data",
            data.toString()));
    command.addAll(arguments);
    File log = data.resolveSibling(data.getFileName() + ".log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().putAll(environment);
    long begin = System.nanoTime();
    Process started = builder.start();
    Http http = new Http(place.address(), Duration.ofSeconds(2));
    while (true) {
      try {
        if (http.get("/").status() == 200) {
          break;
        }
      } catch (IOException e) {
        if (!started.isAlive()) {
          throw new IOException("the node did not start, see " + log, e);
        }
      }
      if (System.nanoTime() - begin > START_MAX.toNanos()) {
        started.destroyForcibly();
        throw new IOException("the node did not answer within " + START_MAX + ", see " + log);
      }
      Thread.sleep(20);
    }
    startMillis = (System.nanoTime() - begin) / 1_000_000;
    return started;
  }

  /// `kill -9`, and nothing else: no hook of the process runs.
  public void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.waitFor();
  }

  /// As an operator's supervisor does it: a node that cannot reach its cluster says so and ends.
  public void restart() throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        process = start();
        return;
      } catch (IOException e) {
        if (tries == STARTS_MAX) {
          throw e;
        }
        System.out.println("started again, it did not start: " + e.getMessage());
      }
    }
  }

  /// The same node of another build.
  public void restartAs(Path otherLauncher) throws IOException, InterruptedException {
    launcher = otherLauncher;
    restart();
  }

  /// SIGTERM, as an operator stops it.
  public void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      kill();
    }
  }

  /// SIGSTOP: the process stands still and does not know it.
  public void freeze() throws IOException, InterruptedException {
    Signal.send("STOP", process.pid());
  }

  public void thaw() throws IOException, InterruptedException {
    Signal.send("CONT", process.pid());
  }

  public NodeAddress place() {
    return place;
  }

  public Path data() {
    return data;
  }

  /// From the start of the process to its first answer.
  public long startMillis() {
    return startMillis;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public String toString() {
    return data.getFileName().toString();
  }
}
