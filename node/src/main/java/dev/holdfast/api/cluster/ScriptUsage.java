package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What the scripts of fields of one type are like, as `_cluster/stats` shows it: how long they
/// are, and how often they read doc values and the source.
final class ScriptUsage {
  private static final List<String> MEASURES = List.of("lines", "chars", "source", "doc");
  private static final Pattern DOC = Pattern.compile("doc[\\[.]");
  private static final Pattern SOURCE = Pattern.compile("params\\._source");

  private final Set<String> languages = new TreeSet<>();
  private final long[] greatest = new long[MEASURES.size()];
  private final long[] sums = new long[MEASURES.size()];
  private int count;

  /// @param script of a field: its text, or an object with it
  void add(JsonNode script) {
    count++;
    languages.add(script.path("lang").asText("painless"));
    String text = script.isTextual() ? script.asText() : script.path("source").asText("");
    long[] measured = {
      text.lines().count(),
      text.length(),
      SOURCE.matcher(text).results().count(),
      DOC.matcher(text).results().count()
    };
    for (int i = 0; i < measured.length; i++) {
      greatest[i] = Math.max(greatest[i], measured[i]);
      sums[i] += measured[i];
    }
  }

  int count() {
    return count;
  }

  /// Adds what there is to tell to a type's object.
  void write(ObjectNode to) {
    languages.forEach(to.putArray("lang")::add);
    for (int i = 0; i < MEASURES.size(); i++) {
      to.put(MEASURES.get(i) + "_max", greatest[i]).put(MEASURES.get(i) + "_total", sums[i]);
    }
  }
}
