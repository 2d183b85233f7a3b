package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.SourceReading;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// A reader for one search whose runtime fields look like fields with doc values. It takes over a
/// reference of the reader below. The same segments have other fields in other searches: filters
/// over those must not be cached.
public final class RuntimeReader extends FilterDirectoryReader {
  private final Fields fields;

  /// @param in whose reference is released when this is closed
  public RuntimeReader(
      DirectoryReader in, Mapping mapping, RuntimeColumns columns, BooleanSupplier isCancelled)
      throws IOException {
    this(in, new Fields(mapping.runtime(), mapping.sources(), columns, isCancelled));
  }

  private RuntimeReader(DirectoryReader in, Fields fields) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader segment) {
            return new RuntimeSegment(segment, fields);
          }
        });
    this.fields = fields;
  }

  /// The segment without runtime fields.
  public static LeafReader plain(LeafReader segment) {
    return segment instanceof RuntimeSegment runtime ? runtime.getDelegate() : segment;
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

  /// The runtime fields of a search, and the columns that it has used.
  static final class Fields {
    private final SortedMap<String, FieldType> types;
    private final SourceReading sources;
    private final RuntimeColumns columns;
    private final BooleanSupplier isCancelled;

    // Guarded by itself.
    private final Map<Place, RuntimeColumns.Held> used = new HashMap<>();

    private record Place(LeafReader segment, String path) {}

    Fields(
        SortedMap<String, FieldType> types,
        SourceReading sources,
        RuntimeColumns columns,
        BooleanSupplier isCancelled) {
      this.types = types;
      this.sources = sources;
      this.columns = columns;
      this.isCancelled = isCancelled;
    }

    SortedMap<String, FieldType> types() {
      return types;
    }

    /// The column of a field that [#types] has.
    RuntimeColumn column(LeafReader segment, String path, FieldType type) throws IOException {
      Place place = new Place(segment, path);
      synchronized (used) {
        RuntimeColumns.Held known = used.get(place);
        if (known != null) {
          return known.column();
        }
      }
      RuntimeColumns.Held held = columns.acquire(segment, path, type, sources, isCancelled);
      synchronized (used) {
        RuntimeColumns.Held before = used.putIfAbsent(place, held);
        if (before != null) {
          columns.release(held);
          return before.column();
        }
      }
      return held.column();
    }

    void release() {
      synchronized (used) {
        used.values().forEach(columns::release);
        used.clear();
      }
    }
  }
}
