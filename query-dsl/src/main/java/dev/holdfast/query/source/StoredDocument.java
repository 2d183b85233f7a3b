package dev.holdfast.query.source;

import dev.holdfast.document.Mapping;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.runtime.RuntimeReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.jspecify.annotations.Nullable;

/// The stored fields of one document.
public final class StoredDocument extends StoredFieldVisitor {
  private final boolean readsSource;
  private @Nullable String id;
  private @Nullable String routing;
  private byte @Nullable [] source;
  private byte @Nullable [] storedValues;

  /// Reads a document whole, its source told as the mapping says.
  ///
  /// @param doc its number in `reader`
  public static StoredDocument whole(IndexReader reader, Mapping mapping, int doc)
      throws IOException {
    StoredDocument document = new StoredDocument(true);
    document.read(reader.storedFields(), reader, mapping, doc);
    return document;
  }

  /// Reads the stored fields of a document, and tells its source as the mapping says.
  ///
  /// @param stored the stored fields of `reader`
  public void read(StoredFields stored, IndexReader reader, Mapping mapping, int doc)
      throws IOException {
    stored.document(doc, this);
    if (readsSource) {
      LeafReaderContext leaf = reader.leaves().get(ReaderUtil.subIndex(doc, reader.leaves()));
      LeafReader segment = RuntimeReader.plain(leaf.reader());
      source = mapping.sources().read(segment, doc - leaf.docBase, source);
    }
  }

  public StoredDocument(boolean readsSource) {
    this.readsSource = readsSource;
  }

  public @Nullable String id() {
    return id;
  }

  public @Nullable String routing() {
    return routing;
  }

  /// The document as received; null when not read.
  public byte @Nullable [] source() {
    return source;
  }

  /// Values that `_source` lacks; null when there are none.
  public byte @Nullable [] valuesApart() {
    return storedValues;
  }

  @Override
  public Status needsField(FieldInfo field) {
    return switch (field.name) {
      case MetadataFields.ID, MetadataFields.ROUTING -> Status.YES;
      case MetadataFields.SOURCE, MetadataFields.STORED_VALUES ->
          readsSource ? Status.YES : Status.NO;
      default -> Status.NO;
    };
  }

  @Override
  public void binaryField(FieldInfo field, byte[] value) {
    switch (field.name) {
      case MetadataFields.ID -> id = new String(value, StandardCharsets.UTF_8);
      case MetadataFields.ROUTING -> routing = new String(value, StandardCharsets.UTF_8);
      case MetadataFields.STORED_VALUES -> storedValues = value;
      default -> source = value;
    }
  }

  @Override
  public void stringField(FieldInfo field, String value) {
    binaryField(field, value.getBytes(StandardCharsets.UTF_8));
  }
}
