package dev.holdfast.identity;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Reads the version that the build wrote.
final class VersionFile {
  private VersionFile() {}

  static Version read() {
    Properties properties = new Properties();
    try (InputStream in =
        VersionFile.class.getResourceAsStream("/dev/holdfast/identity/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Version(
        properties.getProperty("version", "unknown"),
        properties.getProperty("hash", "unknown"),
        properties.getProperty("date", "1970-01-01T00:00:00.000Z"));
  }
}
