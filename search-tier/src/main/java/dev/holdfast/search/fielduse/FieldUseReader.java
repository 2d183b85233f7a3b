package dev.holdfast.search.fielduse;

import dev.holdfast.search.fielduse.FieldUse.Structure;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReader;

/// A commit's reader that notes which fields are read ([FieldUse]). It hands out what the segments
/// have, but for terms and stored fields, which only tell what is asked of them.
public final class FieldUseReader extends FilterDirectoryReader {
  public FieldUseReader(DirectoryReader in) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader segment) {
            return new FieldUseSegment(segment);
          }
        });
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader changed) throws IOException {
    return new FieldUseReader(changed);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  /// Notes a structure of a field when there is one.
  static <T> T noted(T found, String field, Structure structure) {
    if (found != null) {
      FieldUse.mark(field, structure);
    }
    return found;
  }
}
