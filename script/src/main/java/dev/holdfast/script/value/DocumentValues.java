package dev.holdfast.script.value;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The columns of the document that a script is at, `doc`: each opened when a script first asks for
/// it. Of one segment and one thread.
public final class DocumentValues extends AbstractMap<String, DocValuesOfField<?>> {
  /// Opens columns of a segment.
  public interface Opening {
    /// @return null for a field that there is not
    @Nullable DocValuesOfField<?> open(String field);
  }

  /// The source of a document, parsed; empty when there is none.
  public interface Sources {
    Map<String, Object> of(int doc);
  }

  private final String name;
  private final Opening opening;
  private final Sources sources;
  private final Map<String, @Nullable DocValuesOfField<?>> open = new HashMap<>();
  private int doc = -1;
  private int sourceOf = -1;
  private Map<String, Object> source = Map.of();

  /// @param name of the segment, whatever tells documents of several apart
  public DocumentValues(String name, Opening opening, Sources sources) {
    this.name = name;
    this.opening = opening;
    this.sources = sources;
  }

  /// Goes to a document of the segment.
  public void moveTo(int document) {
    doc = document;
  }

  /// The number of the document in the segment.
  public int documentNumber() {
    return doc;
  }

  /// Tells documents of several segments apart.
  public int segmentHash() {
    return name.hashCode();
  }

  /// The source of the document.
  public Map<String, Object> source() {
    if (sourceOf != doc) {
      source = sources.of(doc);
      sourceOf = doc;
    }
    return source;
  }

  private @Nullable DocValuesOfField<?> find(String field) {
    DocValuesOfField<?> values = open.get(field);
    if (values == null) {
      if (open.containsKey(field)) {
        return null;
      }
      values = opening.open(field);
      open.put(field, values);
    }
    if (values != null) {
      values.moveTo(doc);
    }
    return values;
  }

  /// Values that [#get] gave for an earlier document, at this one.
  public DocValuesOfField<?> at(DocValuesOfField<?> values) {
    values.moveTo(doc);
    return values;
  }

  /// @throws IllegalArgumentException for a field that there is not
  @Override
  public DocValuesOfField<?> get(@Nullable Object field) {
    DocValuesOfField<?> values = find(String.valueOf(field));
    if (values == null) {
      throw new IllegalArgumentException("No field found for [" + field + "] in mapping");
    }
    return values;
  }

  @Override
  public boolean containsKey(@Nullable Object field) {
    return find(String.valueOf(field)) != null;
  }

  /// The same as an object with defaults; a field that there is not has no values.
  public Field field(String field) {
    return new Field(field, find(field));
  }

  @Override
  public Set<Entry<String, DocValuesOfField<?>>> entrySet() {
    throw new UnsupportedOperationException("doc can only be asked for fields by name");
  }

  @Override
  public int size() {
    throw new UnsupportedOperationException("doc can only be asked for fields by name");
  }

  @Override
  public String toString() {
    return "doc";
  }
}
