package dev.holdfast.query.aggregation.bucket.composite;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.aggregation.bucket.geo.PointCells;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.kernel.Collecting;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/// A source of a `composite` whose keys are numbers, instants or tiles; also a source of a field
/// that the index does not have.
final class CompositeNumbers implements CompositeColumn {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final CompositeSource source;
  private final @Nullable BoundField field;
  private final boolean hasNull;
  private final boolean isDouble;
  private final CompositeBlock block;
  private final double[] numbers;

  /// Turns the order of values around when it descends.
  private final long flip;

  private final long nullFlag;
  private @Nullable LongColumn column;

  /// @param hasNull whether null is a key, of documents or of `after`
  CompositeNumbers(CompositeSource source, @Nullable BoundField field, boolean hasNull) {
    this.source = source;
    this.field = field;
    this.hasNull = hasNull;
    this.block = new CompositeBlock(width());
    this.flip = source.isAscending() ? 0 : -1;
    this.nullFlag = source.isNullFirst() ? -1 : 1;
    this.isDouble =
        field != null
            && source.tiles() == null
            && source.rounding() == null
            && (source.interval() > 0 || field.kind().isFloating());
    this.numbers = new double[isDouble ? Collecting.BLOCK : 0];
  }

  @Override
  public int width() {
    return hasNull ? 2 : 1;
  }

  @Override
  public void open(LeafReader reader) throws IOException {
    column = field == null ? null : LongColumn.open(reader, field);
  }

  @Override
  public CompositeBlock read(int[] docs, int from, int to) throws IOException {
    if (column != null) {
      column.read(docs, from, to);
    }
    return fill(to - from);
  }

  @Override
  public CompositeBlock readPairs(int[] docs, int count) throws IOException {
    if (column != null) {
      column.readPairs(docs, count);
    }
    return fill(count);
  }

  private CompositeBlock fill(int documents) {
    block.clear();
    int values = column == null ? 0 : column.count;
    if (column != null) {
      convert(column.values, values);
    }
    if (column != null && column.isAligned && !hasNull && !mayMiss()) {
      long[] words = block.alignedWords(values);
      for (int i = 0; i < values; i++) {
        words[i] = column.values[i] ^ flip;
      }
      return block;
    }
    int next = 0;
    for (int document = 0; document < documents; document++) {
      int first = next;
      while (column != null
          && next < values
          && (column.isAligned ? next : column.origins[next]) == document) {
        add(column.values[next++]);
      }
      if (next == first && source.hasMissing()) {
        block.add(nullFlag, 0);
      }
      block.next();
    }
    return block;
  }

  /// Whether a value may have no key.
  private boolean mayMiss() {
    return source.tiles() != null && source.tiles().bounds() != null;
  }

  private void add(long key) {
    if (source.tiles() == null) {
      // The values of a document ascend, and so do their keys.
      if (!block.endsWith(key ^ flip)) {
        block.add(0, key ^ flip);
      }
    } else if (key != PointCells.OUTSIDE && !block.has(key ^ flip)) {
      block.add(0, key ^ flip);
    }
  }

  /// Replaces doc values by keys: for numbers with a fraction, by what sorts like them.
  private void convert(long[] values, int count) {
    PointCells tiles = source.tiles();
    if (field == null) {
      return;
    }
    if (tiles != null) {
      for (int i = 0; i < count; i++) {
        values[i] = tiles.cell(values[i]);
      }
    } else if (source.rounding() != null) {
      if (field.kind() == ValuesKind.DATE_NANOS) {
        for (int i = 0; i < count; i++) {
          values[i] = Math.floorDiv(values[i], NANOS_PER_MILLI);
        }
      } else if (field.kind().isFloating() || field.kind() == ValuesKind.UNSIGNED_LONG) {
        for (int i = 0; i < count; i++) {
          values[i] = (long) field.toDouble(values[i]); // milliseconds
        }
      }
      source.rounding().round(values, count);
    } else if (isDouble) {
      toNumbers(field, values, count);
    }
  }

  private void toNumbers(BoundField of, long[] values, int count) {
    double[] read = count <= numbers.length ? numbers : new double[count];
    of.toDoubles(values, count, read);
    double interval = source.interval();
    for (int i = 0; i < count; i++) {
      double key = interval > 0 ? Math.floor(read[i] / interval) * interval : read[i];
      values[i] = NumericUtils.doubleToSortableLong(key);
    }
  }

  @Override
  public @Nullable Object key(long[] words, int at) {
    if (hasNull && words[at] == nullFlag) {
      return null;
    }
    long key = words[hasNull ? at + 1 : at] ^ flip;
    if (isDouble) {
      return NumericUtils.sortableLongToDouble(key);
    }
    return key;
  }

  @Override
  public void words(@Nullable Object key, long[] words, int at) {
    if (hasNull) {
      words[at] = key == null ? nullFlag : 0;
    }
    // Without a field every key is null, and what it is compared with does not matter.
    long word =
        !(key instanceof Number number) || field == null
            ? 0
            : (isDouble
                    ? NumericUtils.doubleToSortableLong(number.doubleValue())
                    : number.longValue())
                ^ flip;
    words[hasNull ? at + 1 : at] = word;
  }

  @Override
  public int compareTied(@Nullable Object a, @Nullable Object b) {
    return 0;
  }
}
