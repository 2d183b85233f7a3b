package dev.holdfast.document.column;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.UnicodeUtil;

/// Byte strings by row, copied into one growing blob; each may carry a mark (text that is ASCII
/// only). Rows mostly come in ascending order; those of nested objects that are included elsewhere
/// don't, and are sorted in the end.
public final class BytesRows {
  private static final int BLOB_START = 1024;

  /// A larger blob is let go when cleared: one large request must not be held for ever.
  private static final int BLOB_KEPT_MAX = 4 << 20;

  private int[] rows = new int[64];
  private int[] ends = new int[64];
  private boolean[] marks = new boolean[64];
  private int count;
  private boolean isUnordered;
  private byte[] blob = new byte[BLOB_START];

  public void add(int row, byte[] bytes, int offset, int length) {
    add(row, bytes, offset, length, false);
  }

  public void add(int row, byte[] bytes, int offset, int length, boolean mark) {
    int begin = begin(length);
    System.arraycopy(bytes, offset, blob, begin, length);
    end(row, begin + length, mark);
  }

  /// Adds text as UTF-8.
  public void add(int row, String text) {
    int begin = begin(UnicodeUtil.maxUTF8Length(text.length()));
    end(row, UnicodeUtil.UTF16toUTF8(text, 0, text.length(), blob, begin), false);
  }

  private int begin(int room) {
    int begin = count == 0 ? 0 : ends[count - 1];
    if (blob.length - begin < room) {
      blob = Arrays.copyOf(blob, Math.addExact(Math.max(blob.length, room), begin));
    }
    return begin;
  }

  private void end(int row, int end, boolean mark) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      marks = Arrays.copyOf(marks, 2 * count);
    }
    isUnordered |= count > 0 && rows[count - 1] > row;
    rows[count] = row;
    marks[count] = mark;
    ends[count++] = end;
  }

  /// From where on the values of `row` may lie: what is before is of rows before.
  public int since(int row) {
    int first = isUnordered ? 0 : count;
    while (first > 0 && rows[first - 1] >= row) {
      first--;
    }
    return first;
  }

  /// Forgets the values of `row` and later.
  public void truncate(int row) {
    while (count > 0 && rows[count - 1] >= row) {
      count--;
    }
  }

  /// Brings the rows into ascending order.
  void arrange() {
    if (!isUnordered) {
      return;
    }
    int[] order = Rows.order(rows, count);
    int[] oldRows = rows.clone();
    int[] oldEnds = ends.clone();
    boolean[] oldMarks = marks.clone();
    byte[] oldBlob = blob.clone();
    int end = 0;
    for (int i = 0; i < count; i++) {
      int old = order[i];
      int begin = old == 0 ? 0 : oldEnds[old - 1];
      int length = oldEnds[old] - begin;
      System.arraycopy(oldBlob, begin, blob, end, length);
      end += length;
      rows[i] = oldRows[old];
      ends[i] = end;
      marks[i] = oldMarks[old];
    }
    isUnordered = false;
  }

  public void clear() {
    count = 0;
    isUnordered = false;
    if (blob.length > BLOB_KEPT_MAX) {
      blob = new byte[BLOB_START];
    }
  }

  public int count() {
    return count;
  }

  public int row(int index) {
    return rows[index];
  }

  public boolean mark(int index) {
    return marks[index];
  }

  /// Points `view` at a value.
  public void get(int index, BytesRef view) {
    int begin = index == 0 ? 0 : ends[index - 1];
    view.bytes = blob;
    view.offset = begin;
    view.length = ends[index] - begin;
  }

  /// Call it before reading: it arranges.
  boolean isDense(int batchRows) {
    arrange();
    return Rows.isDense(rows, count, batchRows);
  }
}
