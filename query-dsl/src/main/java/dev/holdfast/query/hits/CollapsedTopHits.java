package dev.holdfast.query.hits;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Collects the best hit of each group of documents with one value of a field, the best groups
/// only.
final class CollapsedTopHits implements Collector {
  private static final Object NO_VALUE = new Object();

  private final String field;
  private final FieldType type;
  private final FieldComparator<?>[] comparators;
  private final int[] directions;
  private final int groupsMax;
  private final boolean needsScores;
  private final Map<Object, Group> groups = new HashMap<>();
  private final TreeSet<Group> ordered = new TreeSet<>(this::compare);
  private final boolean isAfter;
  private int spare;
  private long count;
  private float maxScore = Float.NaN;

  /// @param sorts at least one
  /// @param after the groups wanted come after this position; null for the first ones
  @SuppressWarnings("unchecked") // a comparator takes the values of its own sort
  CollapsedTopHits(
      String field,
      FieldType type,
      SortField[] sorts,
      int groupsMax,
      boolean tracksScores,
      @Nullable FieldDoc after) {
    isAfter = after != null;
    this.field = field;
    this.type = type;
    this.groupsMax = groupsMax;
    comparators = new FieldComparator<?>[sorts.length];
    directions = new int[sorts.length];
    boolean byScore = tracksScores;
    for (int i = 0; i < sorts.length; i++) {
      comparators[i] = sorts[i].getComparator(groupsMax + 1, Pruning.NONE);
      directions[i] = sorts[i].getReverse() ? -1 : 1;
      byScore |= sorts[i].needsScores();
      if (after != null) {
        ((FieldComparator<Object>) comparators[i]).setTopValue(after.fields[i]);
      }
    }
    needsScores = byScore;
  }

  /// A group with its best document so far.
  private static final class Group {
    private final Object key;
    private int slot;
    private int doc;
    private float score;

    Group(Object key, int slot, int doc, float score) {
      this.key = key;
      this.slot = slot;
      this.doc = doc;
      this.score = score;
    }
  }

  private int compare(Group a, Group b) {
    for (int i = 0; i < comparators.length; i++) {
      int result = directions[i] * comparators[i].compare(a.slot, b.slot);
      if (result != 0) {
        return result;
      }
    }
    return Integer.compare(a.doc, b.doc);
  }

  /// Documents collected.
  long count() {
    return count;
  }

  /// The greatest score of a document collected; NaN when scores were not needed.
  float maxScore() {
    return maxScore;
  }

  /// The best groups, best first.
  ///
  /// @param keys of the sort; empty for by score
  List<ShardHit> hits(List<SortKey> keys) {
    List<ShardHit> hits = new ArrayList<>();
    for (Group group : ordered) {
      @Nullable Object[] values = new @Nullable Object[keys.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = keys.get(i).mergeable(comparators[i].value(group.slot));
      }
      hits.add(
          new ShardHit(
              group.doc,
              group.score,
              Arrays.asList(values),
              group.key.equals(NO_VALUE) ? null : group.key));
    }
    return hits;
  }

  @Override
  public ScoreMode scoreMode() {
    return needsScores ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
    LeafFieldComparator[] inLeaf = new LeafFieldComparator[comparators.length];
    for (int i = 0; i < inLeaf.length; i++) {
      inLeaf[i] = comparators[i].getLeafComparator(leaf);
    }
    Keys keys = keys(leaf);
    return new LeafCollector() {
      private @Nullable Scorable scorable;

      @Override
      public void setScorer(Scorable scorer) throws IOException {
        scorable = scorer;
        for (LeafFieldComparator one : inLeaf) {
          one.setScorer(scorer);
        }
      }

      // Whether a document comes after the position that groups are wanted from.
      private boolean isWanted(int doc) throws IOException {
        for (int i = 0; isAfter && i < inLeaf.length; i++) {
          int top = directions[i] * inLeaf[i].compareTop(doc);
          if (top != 0) {
            return top < 0;
          }
        }
        return !isAfter;
      }

      @Override
      public void collect(int doc) throws IOException {
        count++;
        float score = needsScores && scorable != null ? scorable.score() : Float.NaN;
        if (Float.isNaN(maxScore) || score > maxScore) {
          maxScore = score;
        }
        if (!isWanted(doc)) {
          return;
        }
        for (LeafFieldComparator one : inLeaf) {
          one.copy(spare, doc);
        }
        int number = leaf.docBase + doc;
        boolean isHopeless =
            groups.size() >= groupsMax
                && compare(new Group(NO_VALUE, spare, number, score), ordered.last()) >= 0;
        if (!isHopeless) {
          add(keys.of(doc), number, score);
        }
      }
    };
  }

  private void add(Object key, int doc, float score) {
    Group found = groups.get(key);
    Group challenger = new Group(key, spare, doc, score);
    if (found != null) {
      if (compare(challenger, found) < 0) {
        ordered.remove(found);
        spare = found.slot;
        put(challenger);
      }
    } else if (groups.size() < groupsMax) {
      put(challenger);
      spare = groups.size();
    } else if (compare(challenger, ordered.last()) < 0) {
      Group worst = ordered.last();
      ordered.remove(worst);
      groups.remove(worst.key);
      spare = worst.slot;
      put(challenger);
    }
  }

  private void put(Group group) {
    groups.put(group.key, group);
    ordered.add(group);
  }

  /// The group of a document of one segment.
  @FunctionalInterface
  private interface Keys {
    Object of(int doc) throws IOException;
  }

  private Keys keys(LeafReaderContext leaf) throws IOException {
    if (type.values().hasOrdinals()) {
      SortedSetDocValues terms = DocValues.getSortedSet(leaf.reader(), field);
      return doc -> {
        if (!terms.advanceExact(doc)) {
          return NO_VALUE;
        }
        requireOne(terms.docValueCount(), doc);
        return BytesRef.deepCopyOf(terms.lookupOrd(terms.nextOrd()));
      };
    }
    SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), field);
    return doc -> {
      if (!numbers.advanceExact(doc)) {
        return NO_VALUE;
      }
      requireOne(numbers.docValueCount(), doc);
      return numbers.nextValue();
    };
  }

  private void requireOne(int values, int doc) {
    if (values > 1) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "failed to extract doc:" + doc + ", the grouping field must be single valued");
    }
  }
}
