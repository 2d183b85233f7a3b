package dev.holdfast.document.batch;

import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.Token;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Arrays;

/// The rows that a document's nested objects take: Lucene wants them before the document that holds
/// them, whose values come first, so they are counted ahead of the walk. Made once a batch builder.
final class NestedRows {
  private final JsonScanner scanner;
  private final int objectsMax;

  /// Rows by the order in which objects open, counted from the document's first row.
  private int[] rows = new int[16];

  private int opened;
  private int closed;
  private int next;

  /// @param objectsMax nested objects a document may have
  NestedRows(JsonScanner scanner, int objectsMax) {
    this.scanner = scanner;
    this.objectsMax = objectsMax;
  }

  /// Counts the nested objects of the document that the scanner was opened on; it must be opened
  /// again for the walk.
  ///
  /// @return how many rows lie before the document's own
  int count(Level root) {
    opened = 0;
    closed = 0;
    next = 0;
    if (scanner.next() == Token.OBJECT) {
      members(root);
    }
    return closed;
  }

  /// The row of the nested object that opens next, counted from the document's first.
  int next() {
    return rows[next++];
  }

  private int open() {
    if (opened == objectsMax) {
      throw new Refusal(
          ErrorType.DOCUMENT_PARSING,
          "The number of nested documents has exceeded the allowed limit of ["
              + objectsMax
              + "]. This limit can be set by changing the [index.mapping.nested_objects.limit]"
              + " index level setting.");
    }
    if (opened == rows.length) {
      rows = Arrays.copyOf(rows, 2 * opened);
    }
    return opened++;
  }

  private void members(Level level) {
    for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
      ResolvedMember slot = level.slot(scanner.name(), scanner.nameOffset(), scanner.nameLength());
      Token token = scanner.next();
      Level[] opens = slot.opens;
      if (opens == null || token == Token.NULL) {
        value(slot, token);
      } else {
        int[] self = new int[opens.length];
        for (int i = 0; i < self.length; i++) {
          self[i] = open();
        }
        value(slot, token);
        for (int i = self.length - 1; i >= 0; i--) {
          rows[self[i]] = closed++;
        }
      }
    }
  }

  private void value(ResolvedMember slot, Token token) {
    Level level = slot.level;
    if (level == null || !level.leadsToNested) {
      skip(token);
      return;
    }
    switch (token) {
      case OBJECT -> {
        if (level.isNested()) {
          int self = open();
          members(level);
          rows[self] = closed++;
        } else {
          members(level);
        }
      }
      case ARRAY -> {
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          value(slot, scanner.next());
        }
      }
      default -> {}
    }
  }

  private void skip(Token token) {
    switch (token) {
      case OBJECT -> {
        for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
          skip(scanner.next());
        }
      }
      case ARRAY -> {
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          skip(scanner.next());
        }
      }
      default -> {}
    }
  }
}
