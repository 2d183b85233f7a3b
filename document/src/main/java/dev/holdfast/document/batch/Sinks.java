package dev.holdfast.document.batch;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.document.mapping.LeafMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;

/// The columns of every field met so far, one set a field however many names lead to it.
final class Sinks {
  private final IndexMapping mapping;
  private final Map<String, Sink> byPath = new TreeMap<>();
  private final List<Sink> all = new ArrayList<>();

  Sinks(IndexMapping mapping) {
    this.mapping = mapping;
  }

  boolean isMetadata(String name) {
    return mapping.isMetadata(name);
  }

  /// The field itself, its multi-fields, and the fields it is copied to.
  Sink[] of(LeafMapping leaf) {
    List<Sink> sinks = new ArrayList<>();
    addWithFields(leaf, sinks);
    for (String target : leaf.copyTo()) {
      if (mapping.member(target) instanceof LeafMapping copy) {
        addWithFields(copy, sinks);
      }
    }
    return sinks.toArray(Sink[]::new);
  }

  private void addWithFields(LeafMapping leaf, List<Sink> to) {
    to.add(sink(leaf.path(), leaf.type()));
    leaf.fields().values().forEach(field -> to.add(sink(field.path(), field.type())));
  }

  private Sink sink(String path, FieldType type) {
    return byPath.computeIfAbsent(
        path,
        _ -> {
          Sink made = new Sink(path, type);
          all.add(made);
          return made;
        });
  }

  void truncate(int row) {
    for (Sink sink : all) {
      sink.columns.truncate(row);
    }
  }

  void finish(int rows, Consumer<Column> columns) {
    for (Sink sink : all) {
      sink.columns.finish(rows, columns);
    }
  }

  void clear() {
    for (Sink sink : all) {
      sink.columns.clear();
    }
  }
}
