package dev.holdfast.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.util.IOUtils;

/// A folder that is gone when the measurement is over.
record Scratch(Path folder) implements AutoCloseable {
  static Scratch create() throws IOException {
    return new Scratch(Files.createTempDirectory("holdfast-benchmark"));
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() throws IOException {
    IOUtils.rm(folder);
  }
}
