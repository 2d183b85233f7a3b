package dev.holdfast.indexing.engine;

import dev.holdfast.codec.FieldFormats;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import java.util.function.Supplier;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.jspecify.annotations.Nullable;

/// How the newest mapping of an index wants its fields to be written.
public record MappedFormats(Supplier<Mapping> mapping) implements FieldFormats {
  @Override
  public @Nullable KnnVectorsFormat vectors(String field) {
    MappedField mapped = mapping.get().field(field);
    return mapped == null ? null : mapped.type().vectorsFormat();
  }

  @Override
  public @Nullable PostingsFormat postings(String field) {
    MappedField mapped = mapping.get().field(field);
    return mapped == null ? null : mapped.type().postingsFormat();
  }
}
