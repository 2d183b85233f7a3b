package dev.holdfast.document.runtime;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.SequentialFields;
import dev.holdfast.document.SourceReading;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.value.DocumentValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.jspecify.annotations.Nullable;

/// The sources of documents of a segment, parsed for scripts, `params._source`. For one thread.
final class SegmentSources implements DocumentValues.Sources {
  private final LeafReader segment;
  private final SourceReading reading;
  private @Nullable StoredFields stored;

  SegmentSources(LeafReader segment, SourceReading reading) {
    this.segment = segment;
    this.reading = reading;
  }

  @Override
  public Map<String, Object> of(int doc) {
    try {
      if (stored == null) {
        stored = SequentialFields.of(segment);
      }
      Source source = new Source();
      stored.document(doc, source);
      byte[] told = reading.read(segment, doc, source.bytes);
      return told == null ? Map.of() : ScriptValues.map(told, 0, told.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends StoredFieldVisitor {
    private byte @Nullable [] bytes;

    @Override
    public Status needsField(FieldInfo field) {
      return field.name.equals(MetadataFields.SOURCE) ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      bytes = value;
    }
  }
}
