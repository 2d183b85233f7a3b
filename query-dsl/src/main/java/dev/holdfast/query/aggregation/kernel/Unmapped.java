package dev.holdfast.query.aggregation.kernel;

import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// An aggregation on an index that lacks its field: no document matters.
public record Unmapped(Partial empty) implements Collecting {
  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) {
    return null;
  }

  @Override
  public Partial result(long bucket) {
    return empty;
  }
}
