package dev.holdfast.document.batch;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import java.nio.charset.StandardCharsets;

/// Where the values of one field go.
final class Sink {
  final String path;
  final byte[] pathBytes;
  final FieldType type;
  final FieldColumns columns;
  final boolean needsName;

  /// Whether somebody asks how many values a document has.
  boolean isCounted;

  /// Values of the document being read, where they are counted.
  int counted;

  /// The document whose `_field_names` has this field already.
  long namedIn = -1;

  /// The document whose `_ignored` has this field already.
  long ignoredIn = -1;

  Sink(String path, FieldType type) {
    this.path = path;
    this.pathBytes = path.getBytes(StandardCharsets.UTF_8);
    this.type = type;
    this.columns = type.newColumns(path);
    this.needsName = type.needsFieldName();
  }
}
