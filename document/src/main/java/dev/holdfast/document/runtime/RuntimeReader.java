package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.Mapping;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// A reader for one search whose runtime fields look like fields with doc values. It takes over a
/// reference of the reader below. The same segments have other fields in other searches: filters
/// over those must not be cached.
public final class RuntimeReader extends FilterDirectoryReader {
  private final RuntimeUse fields;

  /// @param in whose reference is released when this is closed
  public RuntimeReader(
      DirectoryReader in, Mapping mapping, RuntimeColumns columns, BooleanSupplier isCancelled)
      throws IOException {
    this(in, new RuntimeUse(mapping, columns, isCancelled));
  }

  private RuntimeReader(DirectoryReader in, RuntimeUse fields) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader segment) {
            return new RuntimeSegment(segment, fields, List.of());
          }
        });
    this.fields = fields;
  }

  /// Scripts whose values are read from now on see these scores.
  public void scoreBy(SegmentScores scores) {
    fields.scoreBy(scores);
  }

  /// The segment without runtime fields.
  public static LeafReader plain(LeafReader segment) {
    return segment instanceof RuntimeSegment runtime ? runtime.getDelegate() : segment;
  }

  /// The values of a runtime field with a script in one document, which is number 0 of the column.
  ///
  /// @param segment of a reader like this
  public static RuntimeColumn one(LeafReader segment, int doc, String path, FieldType type) {
    return ((RuntimeSegment) segment).one(doc, path, type);
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader changed) throws IOException {
    return new RuntimeReader(changed, fields);
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return null;
  }

  /// Others may use the reader below: it loses a reference, and is not marked as closed.
  @Override
  protected void doClose() throws IOException {
    try {
      fields.release();
    } finally {
      in.decRef();
    }
  }
}
