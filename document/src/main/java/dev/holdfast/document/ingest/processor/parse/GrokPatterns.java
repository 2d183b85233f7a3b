package dev.holdfast.document.ingest.processor.parse;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The patterns that every grok expression may name.
public final class GrokPatterns {
  /// `ecs_compatibility`: which names the fields of whole lines have.
  public static final List<String> MODES = List.of("disabled", "v1");

  private static final Map<String, String> OWN = read("grok-patterns.txt", Map.of());
  private static final Map<String, String> ECS = read("grok-patterns-ecs.txt", OWN);

  private GrokPatterns() {}

  /// Regular expressions by name, in order of names.
  ///
  /// @param mode one of [#MODES]
  public static Map<String, String> of(String mode) {
    return mode.equals("v1") ? ECS : OWN;
  }

  /// @param others patterns that the file may have anew
  private static Map<String, String> read(String name, Map<String, String> others) {
    Map<String, String> patterns = new TreeMap<>(others);
    try (InputStream file = GrokPatterns.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("no " + name);
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
