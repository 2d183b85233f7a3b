package dev.holdfast.query.collect;

import java.io.IOException;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.index.PointValues.Relation;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.LongHeap;
import org.jspecify.annotations.Nullable;

/// The greatest (or least) values of an interval that live documents have, found from that end of
/// the point trees: subtrees that can't hold a better value are not read.
public final class PointExtremes {
  private final PointInterval interval;
  private final boolean isDescending;
  private final int valuesMax;

  /// The worst on top. Ascending, values are complemented, which reverses their order.
  private final LongHeap best;

  public PointExtremes(PointInterval interval, boolean isDescending, int valuesMax) {
    this.interval = interval;
    this.isDescending = isDescending;
    this.valuesMax = valuesMax;
    this.best = new LongHeap(valuesMax);
  }

  /// Whether as many values were found as wanted.
  public boolean isFull() {
    return best.size() == valuesMax;
  }

  /// The worst of the best values.
  public long worst() {
    return ranked(best.top());
  }

  /// @param live null when all documents of the segment are
  public void add(PointValues points, @Nullable Bits live) throws IOException {
    walk(points.getPointTree(), live);
  }

  /// Greater is better; its own inverse.
  private long ranked(long value) {
    return isDescending ? value : ~value;
  }

  private void walk(PointTree tree, @Nullable Bits live) throws IOException {
    if (!mayImprove(tree)) {
      return;
    }
    if (!tree.moveToChild()) {
      tree.visitDocValues(
          (PointInterval.LeafVisitor)
              (doc, point) -> {
                if (live == null || live.get(doc)) {
                  add(interval.decode(point));
                }
              });
      return;
    }
    if (isDescending) {
      // A tree is read forward only, and a clone can't leave its root: the left child waits there.
      PointTree left = tree.clone();
      if (tree.moveToSibling()) {
        walk(tree, live);
      }
      walk(left, live);
    } else {
      do {
        walk(tree, live);
      } while (tree.moveToSibling());
    }
    tree.moveToParent();
  }

  private boolean mayImprove(PointTree tree) {
    byte[] least = tree.getMinPackedValue();
    byte[] greatest = tree.getMaxPackedValue();
    if (interval.relate(least, greatest) == Relation.CELL_OUTSIDE_QUERY) {
      return false;
    }
    return !isFull() || ranked(interval.decode(isDescending ? greatest : least)) > best.top();
  }

  private void add(long value) {
    if (interval.contains(value)) {
      best.insertWithOverflow(ranked(value));
    }
  }
}
