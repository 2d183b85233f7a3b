package dev.holdfast.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.world.TestRequirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// A server that speaks the protocol of a cloud's object store, on a free port of this machine,
/// with its data in a folder that goes with it. `scripts/object-stores` installs it the first time
/// (which takes minutes); a test that needs it is skipped, with the reason, where that can not be
/// done.
///
/// Of each kind one is shared by all tests of a process: [#shared] starts it at first use and the
/// end of the process stops it. Chaos tests make their own with [#start], to kill it.
public final class TestServer implements AutoCloseable {
  /// The servers there are.
  public enum Kind {
    /// Amazon S3's protocol; keeps its objects in files.
    VERSITYGW("versitygw"),
    /// Azure Blob Storage's protocol.
    AZURITE("azurite"),
    /// Google Cloud Storage's protocol; keeps its objects in memory.
    FAKE_GCS("fake-gcs-server");

    private final String program;

    Kind(String program) {
      this.program = program;
    }
  }

  private static final Duration INSTALL_MAX = Duration.ofMinutes(15);
  private static final Duration START_MAX = Duration.ofSeconds(30);
  private static final Map<Kind, TestServer> SHARED = new EnumMap<>(Kind.class);

  private final Kind kind;
  private final Path script;
  private final Path data;
  private final int port;
  private Process process;

  private TestServer(Kind kind, Path script, Path data, int port) throws IOException {
    this.kind = kind;
    this.script = script;
    this.data = data;
    this.port = port;
    process = launch();
  }

  /// The one of this process; skips the test when there can be none.
  public static synchronized TestServer shared(Kind kind) {
    TestServer server = SHARED.get(kind);
    if (server == null) {
      server = start(kind);
      SHARED.put(kind, server);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    return server;
  }

  /// One more, for the caller alone; skips the test when there can be none.
  public static TestServer start(Kind kind) {
    try {
      Path script = script();
      install(script, kind);
      Path data = Files.createTempDirectory("holdfast-" + kind.program);
      TestServer server = new TestServer(kind, script, data, freePort());
      server.awaitAnswer();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Path script() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("scripts/object-stores"))) {
      folder = folder.getParent();
    }
    TestRequirement.require(folder != null, () -> "scripts/object-stores not found");
    return folder.resolve("scripts/object-stores");
  }

  private static void install(Path script, Kind kind) throws IOException, InterruptedException {
    Process install =
        new ProcessBuilder(script.toString(), "install", kind.program)
            .redirectErrorStream(true)
            .start();
    String said = new String(install.getInputStream().readAllBytes(), UTF_8);
    boolean ended = install.waitFor(INSTALL_MAX.toSeconds(), TimeUnit.SECONDS);
    TestRequirement.require(
        ended && install.exitValue() == 0,
        () -> kind.program + " cannot be installed here: " + said);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(
            script.toString(), "run", kind.program, Integer.toString(port), data + "/objects")
        .redirectErrorStream(true)
        .redirectOutput(data.resolve("log").toFile())
        .start();
  }

  private void awaitAnswer() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_MAX.toNanos();
    while (true) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException(
              kind.program + " does not start: " + Files.readString(data.resolve("log")), e);
        }
        Thread.sleep(20);
      }
    }
  }

  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  public int port() {
    return port;
  }

  /// A URL for `Stores#open`, of a bucket that exists. Names are of lower-case letters and digits.
  public String url(String bucket) throws Exception {
    return TestBuckets.create(this, kind, bucket);
  }

  /// What `Stores#open` needs beside the URL. Of credentials, a server of S3's protocol takes those
  /// of [#environment].
  public SortedMap<String, String> options() {
    return switch (kind) {
      case VERSITYGW ->
          new TreeMap<>(Map.of("store.s3.endpoint", endpoint(), "store.s3.region", "us-east-1"));
      case FAKE_GCS -> new TreeMap<>(Map.of("store.gcs.endpoint", endpoint()));
      case AZURITE ->
          new TreeMap<>(
              Map.of("store.azure.connection_string", TestBuckets.azureConnection(endpoint())));
    };
  }

  /// The variables that a process of its own needs to use this server.
  public static Map<String, String> environment() {
    return Map.of("AWS_ACCESS_KEY_ID", "test", "AWS_SECRET_ACCESS_KEY", "testtest");
  }

  /// Sets what [#environment] says in this process.
  static void useCredentials() {
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "testtest");
  }

  /// Ends it at once, as a crash does; its data stays for [#restart].
  public void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  /// Runs it again on the same port with the same data.
  public void restart() throws IOException, InterruptedException {
    process = launch();
    awaitAnswer();
  }

  @Override
  public void close() {
    try {
      kill();
      deleteTree(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void deleteTree(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path path : List.copyOf(paths.toList()).reversed()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
