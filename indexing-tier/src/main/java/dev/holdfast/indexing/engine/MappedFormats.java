package dev.holdfast.indexing.engine;

import dev.holdfast.codec.FieldFormats;
import dev.holdfast.codec.ordinal.OrdinalPostingsFormat;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.TimeSeries;
import java.util.function.Supplier;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.jspecify.annotations.Nullable;

/// How the newest mapping of an index wants its fields to be written.
///
/// @param areCompact whether the index is one of those that are written as small as they can be
public record MappedFormats(Supplier<Mapping> mapping, boolean areCompact) implements FieldFormats {
  private static final PostingsFormat ORDINALS = new OrdinalPostingsFormat();

  /// Of an index.
  public static MappedFormats of(WriteMapping index) {
    return new MappedFormats(index::newestSoFar, TimeSeries.isCompact(index.metadata().settings()));
  }

  @Override
  public @Nullable KnnVectorsFormat vectors(String field) {
    MappedField mapped = mapping.get().field(field);
    return mapped == null ? null : mapped.type().vectorsFormat();
  }

  @Override
  public @Nullable PostingsFormat postings(String field) {
    MappedField mapped = mapping.get().field(field);
    if (mapped == null) {
      return null;
    }
    return areCompact && mapped.type().hasTermsAsValues()
        ? ORDINALS
        : mapped.type().postingsFormat();
  }
}
