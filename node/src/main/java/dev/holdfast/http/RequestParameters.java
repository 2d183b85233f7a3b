package dev.holdfast.http;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The query parameters of one request, which remember whether anybody has looked at them: what
/// nobody looked at had no effect, and the client is told so. Whoever goes through all of them
/// hands them on, which counts as a look.
public final class RequestParameters extends AbstractMap<String, String> {
  private final Map<String, String> values;
  private final Set<String> read = ConcurrentHashMap.newKeySet();

  public RequestParameters(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /// Whether somebody asked for it, or whether it is there.
  public boolean isRead(String name) {
    return read.contains(name);
  }

  /// The names that were given, without a look at them.
  public Set<String> names() {
    return values.keySet();
  }

  @Override
  public @Nullable String get(@Nullable Object name) {
    look(name);
    return values.get(name);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    look(name);
    return values.containsKey(name);
  }

  private void look(@Nullable Object name) {
    if (name instanceof String text && values.containsKey(text)) {
      read.add(text);
    }
  }

  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    read.addAll(values.keySet());
    return values.entrySet();
  }
}
