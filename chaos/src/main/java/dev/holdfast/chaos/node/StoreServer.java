package dev.holdfast.chaos.node;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A real S3 server (versitygw) over a local folder, which can be frozen: to its clients it is a
/// store that has stopped answering.
public final class StoreServer implements AutoCloseable {
  private final Process process;
  private final String address;
  private final @Nullable StoreProxy proxy;
  private final Path objects;

  private StoreServer(Process process, String address, @Nullable StoreProxy proxy, Path objects) {
    this.process = process;
    this.objects = objects;
    this.address = address;
    this.proxy = proxy;
  }

  /// One behind a proxy that can refuse; the server itself serves on the port behind.
  static StoreServer startRefusing(Path binary, Path folder, String host, int port)
      throws IOException, InterruptedException {
    StoreServer server = start(binary, folder, host, port + 1);
    return new StoreServer(
        server.process, host + ":" + port, StoreProxy.start(host, port, port + 1), server.objects);
  }

  /// @param binary of versitygw
  /// @param host the address it serves on
  static StoreServer start(Path binary, Path folder, String host, int port)
      throws IOException, InterruptedException {
    if (!Files.isExecutable(binary)) {
      throw new IOException(
          "no versitygw at " + binary + ": scripts/object-stores install fetches it");
    }
    Files.createDirectories(folder.resolve("holdfast"));
    Process process =
        new ProcessBuilder(
                List.of(
                    binary.toString(),
                    "--access",
                    "test",
                    "--secret",
                    "testtest",
                    "--port",
                    host + ":" + port,
                    "--keep-alive",
                    "--quiet",
                    "posix",
                    folder.toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolveSibling("store.log").toFile())
            .start();
    for (int i = 0; i < 200; i++) {
      try (Socket _ = new Socket(host, port)) {
        return new StoreServer(process, host + ":" + port, null, folder.resolve("holdfast/chaos"));
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
    process.destroyForcibly();
    throw new IOException("versitygw does not listen on " + host + ":" + port);
  }

  public List<String> nodeArguments() {
    return List.of(
        "--store", "s3://holdfast/chaos",
        "-E", "store.s3.endpoint=http://" + address,
        "-E", "store.s3.region=us-east-1",
        "-E", "store.s3.path_style=true");
  }

  public static Map<String, String> nodeEnvironment() {
    return Map.of(
        "AWS_ACCESS_KEY_ID",
        "test",
        "AWS_SECRET_ACCESS_KEY",
        "testtest",
        "AWS_REGION",
        "us-east-1");
  }

  /// The folder whose files are the objects, by key.
  Path objects() {
    return objects;
  }

  public void freeze() throws IOException, InterruptedException {
    Signal.send("STOP", process.pid());
  }

  public void thaw() throws IOException, InterruptedException {
    Signal.send("CONT", process.pid());
  }

  /// What the store answers to every request from now on; null ends it.
  public void refuse(StoreProxy.@Nullable Answer answer) {
    Objects.requireNonNull(proxy, "started without a proxy").refuse(answer);
  }

  /// Requests refused since the start.
  public long refused() {
    return Objects.requireNonNull(proxy, "started without a proxy").refused();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    if (proxy != null) {
      proxy.close();
    }
  }
}
