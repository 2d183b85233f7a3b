package dev.holdfast.benchmark;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/// Files of lines as a web server writes them, plain or compressed: the same lines either way.
record LogFiles(int count, long bytesEach, boolean isCompressed, long seed) {
  private static final String[] PATHS = {
    "/", "/index.html", "/images/logo.png", "/api/v1/orders", "/api/v1/users/me", "/search?q=shoes"
  };

  /// @return the lines of all files
  long write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Random random = new Random(seed);
    long lines = 0;
    for (int file = 0; file < count; file++) {
      Path path = folder.resolve("app-" + file + (isCompressed ? ".log.gz" : ".log"));
      try (OutputStream raw = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20);
          OutputStream out = isCompressed ? new GZIPOutputStream(raw, 1 << 16) : raw) {
        for (long written = 0; written < bytesEach; lines++) {
          byte[] line = line(random, file, lines);
          out.write(line);
          written += line.length;
        }
      }
    }
    return lines;
  }

  private static byte[] line(Random random, int file, long number) {
    return String.format(
            Locale.ROOT,
            "203.0.%d.%d - - [23/Nov/2026:10:%02d:%02d +0000] \"GET %s HTTP/1.1\" %d %d \"-\""
                + " \"Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0\" rt=0.%03d"
                + " id=%x%n",
            file % 256,
            random.nextInt(256),
            number / 6000 % 60,
            number / 100 % 60,
            PATHS[random.nextInt(PATHS.length)],
            random.nextInt(20) == 0 ? 404 : 200,
            random.nextInt(50_000),
            random.nextInt(1000),
            random.nextLong())
        .getBytes(StandardCharsets.US_ASCII);
  }
}
