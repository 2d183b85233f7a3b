package dev.holdfast.query.aggregation.bucket.range;

import dev.holdfast.query.aggregation.column.Bins;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Which ranges hold an address: its place among their sorted ends says it, so that no address is
/// compared with each range, and in a segment with more documents than ends none is read at all:
/// its number in the segment's dictionary is enough.
final class AddressRanges {
  /// All ends of ranges, ascending, each once.
  private final BytesRef[] bounds;

  /// The ranges by the places of their ends.
  private final IntervalTree tree;

  /// @param ranges sorted by their first addresses
  AddressRanges(List<IpRanges.Range> ranges) {
    SortedSet<BytesRef> sorted = new TreeSet<>();
    for (IpRanges.Range range : ranges) {
      if (range.from() != null) {
        sorted.add(range.from());
      }
      if (range.to() != null) {
        sorted.add(range.to());
      }
    }
    bounds = sorted.toArray(BytesRef[]::new);
    long[] firsts = new long[ranges.size()];
    long[] ends = new long[ranges.size()];
    for (int i = 0; i < firsts.length; i++) {
      BytesRef from = ranges.get(i).from();
      BytesRef to = ranges.get(i).to();
      firsts[i] = from == null ? Long.MIN_VALUE : place(from);
      ends[i] = to == null ? Long.MAX_VALUE : place(to);
    }
    tree = new IntervalTree(firsts, ends);
  }

  /// Of the last end that is no larger than an address; -1 where all are.
  private long place(BytesRef address) {
    int found = Arrays.binarySearch(bounds, address);
    return found >= 0 ? found : -found - 2;
  }

  /// Adds the places of all ranges that hold an address, ascending.
  private void find(BytesRef address, KeySet into) {
    tree.find(place(address), into);
  }

  /// The ranges of the documents of a segment.
  ///
  /// @param missing the address of documents without one; null for none
  KeyCollecting.Keys open(SortedSetDocValues values, int documents, @Nullable BytesRef missing)
      throws IOException {
    long[] ordinals = bounds.length <= documents ? ordinals(values) : null;
    return (doc, into) -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          long ordinal = values.nextOrd();
          if (ordinals == null) {
            find(values.lookupOrd(ordinal), into);
          } else {
            tree.find(Bins.search(ordinals, ordinals.length, ordinal), into);
          }
        }
      } else if (missing != null) {
        find(missing, into);
      }
    };
  }

  /// Of each end the first address of a segment that is no smaller.
  private long[] ordinals(SortedSetDocValues values) throws IOException {
    long[] ordinals = new long[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      long found = values.lookupTerm(bounds[i]);
      ordinals[i] = found >= 0 ? found : -found - 1;
    }
    return ordinals;
  }
}
