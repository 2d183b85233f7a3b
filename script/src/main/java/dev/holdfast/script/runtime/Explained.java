package dev.holdfast.script.runtime;

import dev.holdfast.script.type.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `Debug.explain` throws: the classes of a value, and the value as text.
final class Explained extends Error {
  private static final long serialVersionUID = 1L;
  private final transient Map<String, Object> members = new LinkedHashMap<>();

  Explained(@Nullable Object value) {
    super("null");
    members.put("painless_class", value == null ? "null" : Type.name(value.getClass()));
    members.put("to_string", Text.of(value));
    members.put("java_class", value == null ? "null" : value.getClass().getName());
  }

  Map<String, Object> members() {
    return members;
  }
}
