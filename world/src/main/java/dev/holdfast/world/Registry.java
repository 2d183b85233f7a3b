package dev.holdfast.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A table from names to things of one kind: queries, aggregations, field types, APIs. Adding a
/// thing is one line where its table is made; order of registration is kept.
///
/// @param <T> the kind
public final class Registry<T> {
  private final String kind;
  private final Map<String, T> entries;

  private Registry(String kind, Map<String, T> entries) {
    this.kind = kind;
    this.entries = entries;
  }

  /// An empty table. `kind` is the word for messages: "query", "aggregation".
  public static <T> Registry<T> of(String kind) {
    return new Registry<>(kind, new LinkedHashMap<>());
  }

  /// This table with one entry more; a name taken twice is a broken promise.
  public Registry<T> with(String name, T entry) {
    Promise.keep(!entries.containsKey(name), "name registered once", "kind", kind, "name", name);
    Map<String, T> more = new LinkedHashMap<>(entries);
    more.put(name, entry);
    return new Registry<>(kind, more);
  }

  public @Nullable T get(String name) {
    return entries.get(name);
  }

  public String kind() {
    return kind;
  }

  public List<String> names() {
    return new ArrayList<>(entries.keySet());
  }

  /// Names near `name`, nearest first, for "did you mean"; empty when none is near.
  public List<String> suggestions(String name) {
    return Suggestions.near(name, entries.keySet());
  }
}
