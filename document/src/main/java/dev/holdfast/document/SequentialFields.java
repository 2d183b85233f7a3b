package dev.holdfast.document;

import java.io.IOException;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.StoredFields;

/// Stored fields for who reads many documents in order: each block is unpacked once, not once a
/// document.
public final class SequentialFields {
  private SequentialFields() {}

  /// For one thread.
  public static StoredFields of(LeafReader segment) throws IOException {
    return FilterLeafReader.unwrap(segment) instanceof CodecReader codec
            && codec.getFieldsReader() != null
        ? codec.getFieldsReader().getMergeInstance()
        : segment.storedFields();
  }
}
