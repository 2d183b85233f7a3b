package dev.holdfast.codec.stored;

import dev.holdfast.world.Promise;
import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/// Stored fields in compressed blocks; each segment remembers its mode, so any can be read whatever
/// new segments are written with.
public final class HoldfastStoredFieldsFormat extends StoredFieldsFormat {
  public static final String MODE_KEY = "HoldfastStoredFields.mode";

  private final StoredFieldsMode mode;

  public HoldfastStoredFieldsFormat(StoredFieldsMode mode) {
    this.mode = mode;
  }

  @Override
  public StoredFieldsReader fieldsReader(
      Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context)
      throws IOException {
    return modeOf(segment).format().fieldsReader(directory, segment, fields, context);
  }

  private static StoredFieldsMode modeOf(SegmentInfo segment) throws IOException {
    String name = segment.getAttribute(MODE_KEY);
    for (StoredFieldsMode mode : StoredFieldsMode.values()) {
      if (mode.name().equals(name)) {
        return mode;
      }
    }
    throw new CorruptIndexException("unknown mode of stored fields [" + name + "]", segment.name);
  }

  @Override
  public StoredFieldsWriter fieldsWriter(
      Directory directory, SegmentInfo segment, IOContext context) throws IOException {
    String before = segment.putAttribute(MODE_KEY, mode.name());
    Promise.keep(
        before == null || before.equals(mode.name()),
        "one mode a segment",
        "segment",
        segment.name);
    return mode.format().fieldsWriter(directory, segment, context);
  }
}
