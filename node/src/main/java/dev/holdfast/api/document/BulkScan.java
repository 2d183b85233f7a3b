package dev.holdfast.api.document;

import dev.holdfast.http.LargeBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a large `_bulk` once before anything of it is written: every action line is parsed, as
/// [BulkBody] does, and updates are looked at, so that a malformed one refuses the whole request.
/// Says where it can be cut.
final class BulkScan {
  private static final int BUFFER_BYTES = 128 << 10;

  private final LargeBody body;
  private final InputStream in;
  private byte[] buffer = new byte[BUFFER_BYTES];

  /// What of the buffer is not consumed: `[from, end)`, which begins at `consumed` of the body.
  private int from;

  private int end;
  private long consumed;

  /// Where the line ends that [#next] found.
  private int newline;

  private BulkScan(LargeBody body, InputStream in) {
    this.body = body;
    this.in = in;
  }

  /// Items that follow each other, of at most so many bytes unless there is only one.
  ///
  /// @param offset of the first in the body
  record Part(long offset, int bytes, int items) {}

  /// All of a body, in order.
  record Parts(List<Part> list, long items) {
    int longest() {
      return list.stream().mapToInt(Part::bytes).max().orElse(0);
    }

    int mostItems() {
      return list.stream().mapToInt(Part::items).max().orElse(0);
    }
  }

  /// Looks at the line behind an action; only those of updates are whole.
  interface DocumentCheck {
    /// @throws dev.holdfast.world.Refusal to refuse the request
    void check(BulkBody.Action action, byte[] bytes, int offset, int length) throws IOException;
  }

  /// @param itemsMax items of a part
  /// @param defaultIndex of items that name none
  /// @throws dev.holdfast.world.Refusal as [BulkBody#parse] and [BulkBody#requireValid]
  static Parts of(
      LargeBody body, int itemsMax, @Nullable String defaultIndex, DocumentCheck documents)
      throws IOException {
    try (InputStream in = body.open()) {
      return new BulkScan(body, in).parts(body.partBytes(), itemsMax, defaultIndex, documents);
    }
  }

  private Parts parts(
      long bytesMax, int itemsMax, @Nullable String defaultIndex, DocumentCheck documents)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    BulkBody.Action action = null;
    byte[] actionLine = new byte[0];
    long start = 0;
    int inPart = 0;
    long items = 0;
    int line = 0;
    while (has(1)) {
      line++;
      long itemStart = consumed;
      next(true);
      if (BulkBody.isBlank(buffer, from, newline)) {
        consume();
        continue;
      }
      if (action == null
          || !Arrays.equals(actionLine, 0, actionLine.length, buffer, from, newline)) {
        action = BulkBody.action(buffer, from, newline, line);
        actionLine = Arrays.copyOfRange(buffer, from, newline);
      }
      consume();
      BulkBody.addFaults(faults, action, defaultIndex);
      if (action.kind() != Kind.DELETE) {
        line++;
        next(action.kind() == Kind.UPDATE);
        documents.check(action, buffer, from, newline - from);
        consume();
      }
      if (inPart > 0 && (consumed - start > bytesMax || inPart == itemsMax)) {
        parts.add(new Part(start, Math.toIntExact(itemStart - start), inPart));
        RequestMemory.add(BulkBody.ACTION_BYTES);
        start = itemStart;
        inPart = 0;
      }
      inPart++;
      items++;
    }
    if (items == 0) {
      throw BulkBody.noItems();
    }
    parts.add(new Part(start, Math.toIntExact(consumed - start), inPart));
    if (!faults.isEmpty()) {
      throw WriteConditions.invalid(faults);
    }
    return new Parts(parts, items);
  }

  /// Whether so many bytes are left, as far as the buffer holds them.
  private boolean has(int count) throws IOException {
    while (end - from < count) {
      if (end == buffer.length) {
        System.arraycopy(buffer, from, buffer, 0, end - from);
        end -= from;
        from = 0;
      }
      int read = in.read(buffer, end, buffer.length - end);
      if (read < 0) {
        return false;
      }
      end += read;
    }
    return true;
  }

  /// Finds the end of the line that begins at `from`.
  ///
  /// @param isKept whether the whole line is wanted in the buffer, however long it is; else what of
  ///   it is behind is forgotten
  private void next(boolean isKept) throws IOException {
    int searched = 0;
    while (true) {
      newline = BulkBody.newline(buffer, from + searched, end);
      if (newline >= 0) {
        return;
      }
      searched = end - from;
      if (!isKept) {
        consumed += searched;
        from = end;
        searched = 0;
      } else if (searched == buffer.length) {
        body.reserve(buffer.length);
        buffer = Arrays.copyOf(buffer, Math.multiplyExact(2, buffer.length));
      }
      if (!has(searched + 1)) {
        throw BulkBody.unterminated();
      }
    }
  }

  /// Goes on behind the line.
  private void consume() {
    consumed += newline + 1 - from;
    from = newline + 1;
  }
}
