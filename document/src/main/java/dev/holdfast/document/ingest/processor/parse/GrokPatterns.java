package dev.holdfast.document.ingest.processor.parse;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// The patterns that every grok expression may name.
public final class GrokPatterns {
  private static final String FILE = "grok-patterns.txt";
  private static final Map<String, String> ALL = read();

  private GrokPatterns() {}

  /// Regular expressions by name, in order of names.
  public static Map<String, String> all() {
    return ALL;
  }

  private static Map<String, String> read() {
    Map<String, String> patterns = new TreeMap<>();
    try (InputStream file = GrokPatterns.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException("no " + FILE);
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int blank = line.indexOf(' ');
        if (blank > 0 && !line.startsWith("#")) {
          patterns.put(line.substring(0, blank), line.substring(blank + 1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableMap(patterns);
  }
}
