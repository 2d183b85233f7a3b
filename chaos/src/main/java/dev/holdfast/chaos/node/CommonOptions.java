package dev.holdfast.chaos.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What every kind of chaos is told: its dice, its programs, its folder.
public final class CommonOptions {
  @Option(names = "--seed", description = "of all dice; printed when not given")
  public long seed = System.nanoTime();

  @Option(names = "--store-port", description = "of the S3 server (default: ${DEFAULT-VALUE})")
  private int storePort = 9291;

  @Option(names = "--versitygw", description = "the S3 server's binary (default: ${DEFAULT-VALUE})")
  private Path versitygw =
      Path.of(System.getProperty("user.home"), ".cache", "holdfast", "bin", "versitygw");

  @Option(names = "--launcher", description = "the holdfast to run (default: ${DEFAULT-VALUE})")
  private Path launcher = Path.of("./holdfast");

  @Option(
      names = "--folder",
      description = "where data and logs go; a temporary folder when not given")
  private @Nullable Path folder;

  public Path launcher() {
    return launcher.toAbsolutePath();
  }

  /// The folder, made if it was not there.
  public Path home() throws IOException {
    Path home = folder == null ? Files.createTempDirectory("holdfast-chaos") : folder;
    return Files.createDirectories(home);
  }

  /// Whether nobody asked for the folder, so that it may go when all is well.
  public boolean isTemporary() {
    return folder == null;
  }

  /// @param host the address it serves on
  public StoreServer startStore(Path home, String host) throws IOException, InterruptedException {
    return StoreServer.start(versitygw, home.resolve("s3"), host, storePort);
  }

  /// One that can refuse.
  public StoreServer startRefusingStore(Path home, String host)
      throws IOException, InterruptedException {
    return StoreServer.startRefusing(versitygw, home.resolve("s3"), host, storePort);
  }
}
