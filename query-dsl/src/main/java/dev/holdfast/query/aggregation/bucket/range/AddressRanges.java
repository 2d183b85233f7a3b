package dev.holdfast.query.aggregation.bucket.range;

import dev.holdfast.query.aggregation.kernel.KeySet;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.lucene.util.BytesRef;

/// Which ranges hold an address: it is compared with their sorted ends, and not with each range.
final class AddressRanges {
  /// All ends of ranges, ascending, each once.
  private final BytesRef[] bounds;

  /// The ranges by the places of their ends.
  private final IntervalTree tree;

  /// @param ranges sorted by their first addresses
  AddressRanges(List<IpRanges.Range> ranges) {
    bounds =
        ranges.stream()
            .flatMap(range -> Stream.of(range.from(), range.to()))
            .filter(Objects::nonNull)
            .sorted()
            .distinct()
            .toArray(BytesRef[]::new);
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
  void find(BytesRef address, KeySet into) {
    tree.find(place(address), into);
  }
}
