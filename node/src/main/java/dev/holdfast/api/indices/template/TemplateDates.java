package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/// When templates were made and changed: kept with them, and shown.
final class TemplateDates {
  private static final List<String> NAMES = List.of("created_date", "modified_date");

  private TemplateDates() {}

  private static String millis(String name) {
    return name + "_millis";
  }

  /// Whether a request says what only the server may.
  static boolean areGiven(ObjectNode body) {
    return NAMES.stream().anyMatch(name -> body.has(millis(name)));
  }

  /// Puts a template among others; one that is the same already stays as it is.
  static void put(
      SortedMap<String, ObjectNode> all, String name, ObjectNode template, long nowMillis) {
    ObjectNode before = all.get(name);
    if (before != null && without(before).equals(template)) {
      return;
    }
    ObjectNode dated = template.deepCopy();
    JsonNode created = before == null ? null : before.get("created_date_millis");
    dated.put("created_date_millis", created == null ? nowMillis : created.asLong());
    dated.put("modified_date_millis", nowMillis);
    all.put(name, dated);
  }

  private static ObjectNode without(ObjectNode template) {
    ObjectNode plain = template.deepCopy();
    NAMES.forEach(name -> plain.remove(millis(name)));
    return plain;
  }

  /// Adds the dates as people read them.
  static void show(ObjectNode template) {
    for (String name : NAMES) {
      if (template.has(millis(name))) {
        template.put(name, Instant.ofEpochMilli(template.get(millis(name)).asLong()).toString());
      }
    }
  }
}
