package dev.holdfast.document.runtime;

import dev.holdfast.script.value.DocumentValues;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `params` of scripts on documents: those of the request, and `_source` of the document.
public final class LookupParams extends LinkedHashMap<String, Object> {
  private static final long serialVersionUID = 1L;

  private final transient DocumentValues values;

  public LookupParams(Map<String, Object> given, DocumentValues values) {
    super(given);
    this.values = values;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    if ("_source".equals(key)) {
      return values.source();
    }
    return "doc".equals(key) || "_doc".equals(key) ? values : super.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return "_source".equals(key) || super.containsKey(key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
