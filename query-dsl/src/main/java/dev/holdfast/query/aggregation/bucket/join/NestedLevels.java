package dev.holdfast.query.aggregation.bucket.join;

import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.QueryContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The levels at which documents of a block can be, from the document itself down to one of its
/// nested objects.
final class NestedLevels {
  private final List<BitSetProducer> levels = new ArrayList<>();

  /// @param path of a nested object, which is the last level; null for the document itself
  NestedLevels(@Nullable String path, QueryContext context) {
    String level = path;
    while (level != null) {
      levels.addFirst(new QueryBitSetProducer(NestedDocuments.of(level)));
      level = context.mapping().nestedScope(level);
    }
    levels.addFirst(new QueryBitSetProducer(NestedDocuments.roots()));
  }

  /// Documents of each level in one segment, the roots first; null where a level has none.
  List<@Nullable BitSet> open(LeafReaderContext segment) throws IOException {
    List<@Nullable BitSet> open = new ArrayList<>(levels.size());
    for (BitSetProducer level : levels) {
      open.add(level.getBitSet(segment));
    }
    return open;
  }
}
