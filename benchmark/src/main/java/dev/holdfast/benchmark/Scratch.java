package dev.holdfast.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.util.IOUtils;

/// A folder that is gone when the measurement is over.
record Scratch(Path folder) implements AutoCloseable {
  private static final int TRIES = 20;
  private static final long PAUSE_NANOS = 100_000_000;

  static Scratch create() throws IOException {
    return new Scratch(Files.createTempDirectory("holdfast-benchmark"));
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  /// A killed process may be at its last file still.
  @Override
  public void close() throws IOException {
    for (int triesLeft = TRIES; ; triesLeft--) {
      try {
        IOUtils.rm(folder);
        return;
      } catch (IOException e) {
        if (triesLeft == 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
