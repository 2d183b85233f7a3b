package dev.holdfast.script.emit;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Emits values of several fields, by name.
public abstract class CompositeFieldScript extends EmitScript {
  public static final Shape SHAPE = shape("composite_field", CompositeFieldScript.class);

  private final Map<String, List<Object>> values = new LinkedHashMap<>();

  protected CompositeFieldScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  @Override
  final void clear() {
    values.clear();
  }

  public final void emit(String name, @Nullable Object value) {
    if (value == null) {
      return;
    }
    List<Object> known = values.computeIfAbsent(name, _ -> new ArrayList<>());
    int before = known.stream().mapToInt(CompositeFieldScript::count).sum();
    requireFew(before + count(value) - 1);
    known.add(value);
  }

  /// A list stands for what is in it.
  private static int count(Object value) {
    return value instanceof Collection<?> several ? Math.max(1, several.size()) : 1;
  }

  public final void emit(@Nullable Map<String, Object> named) {
    if (named != null) {
      named.forEach(this::emit);
    }
  }

  /// What was emitted, by field.
  public final Map<String, List<Object>> all() {
    return Collections.unmodifiableMap(values);
  }

  /// What was emitted for a field.
  public final List<Object> values(String name) {
    return values.getOrDefault(name, List.of());
  }
}
