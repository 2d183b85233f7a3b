package dev.holdfast.document.batch;

import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.mapping.Dynamic;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.NameSet;
import dev.holdfast.document.scan.Token;
import dev.holdfast.world.Refusal;

/// One pass over a document's bytes, side by side with the mapping: each value goes to its field's
/// columns.
final class DocumentWalk {
  private final JsonScanner scanner;
  private final Level root;
  private final NameSet names = new NameSet();
  private final BytesRows fieldNames;
  private final BytesRows ignored;
  private final DocumentFaults faults;
  private long objects;
  private long document;
  private int row;
  private boolean meetsUnknown;

  DocumentWalk(
      JsonScanner scanner,
      IndexMapping mapping,
      Sinks sinks,
      BytesRows fieldNames,
      BytesRows ignored) {
    this.scanner = scanner;
    this.root = new Level(sinks, mapping.root(), Dynamic.TRUE);
    this.fieldNames = fieldNames;
    this.ignored = ignored;
    this.faults = new DocumentFaults(scanner);
  }

  /// Reads the document that the scanner was opened on into `row`.
  ///
  /// @return whether it has fields that the mapping lacks and may grow by
  /// @throws Refusal `document_parsing_exception` when it can't be indexed
  /// @throws dev.holdfast.document.scan.MalformedJson when it is no JSON
  boolean read(int row, String id) {
    this.row = row;
    document++;
    meetsUnknown = false;
    names.clear();
    faults.document(id);
    if (scanner.next() != Token.OBJECT) {
      throw faults.notAnObject();
    }
    object(root);
    scanner.finish();
    return meetsUnknown;
  }

  private void object(Level level) {
    long self = ++objects;
    Slot previous = level.head;
    for (boolean isFirst = true; scanner.toMember(isFirst); isFirst = false) {
      Slot slot = previous.next;
      if (slot == null || !scanner.acceptName(slot.quoted)) {
        scanner.readName();
        slot = level.slot(scanner.name(), scanner.nameOffset(), scanner.nameLength());
        previous.next = slot.isKept ? slot : null;
      }
      boolean isTwice =
          slot.isKept ? slot.seenIn == self : !names.add(self, slot.name, 0, slot.name.length);
      if (isTwice) {
        throw scanner.duplicate(slot.text());
      }
      slot.seenIn = self;
      member(level, slot);
      previous = slot;
    }
  }

  private void member(Level level, Slot slot) {
    if (slot.action == Slot.Action.FAULT) {
      throw faults.badName(slot.fault);
    }
    int nameEnd = scanner.position();
    Token token = scanner.next();
    switch (slot.action) {
      case FIELD -> field(slot, token);
      case OBJECT -> objects(slot, token);
      case SKIP -> skip(token);
      case UNKNOWN -> {
        if (skip(token)) {
          meetsUnknown = true;
        }
      }
      case STRICT -> {
        if (token != Token.NULL) {
          throw faults.strict(slot.text(), level.path(), nameEnd);
        }
      }
      case FAULT -> throw faults.badName(slot.fault);
    }
  }

  private void objects(Slot slot, Token token) {
    Level level = slot.level;
    if (level == null || token == Token.NULL) {
      return;
    }
    switch (token) {
      case OBJECT -> object(level);
      case ARRAY -> {
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          objects(slot, scanner.next());
        }
      }
      default -> throw faults.notAnObject(level.path());
    }
  }

  private void field(Slot slot, Token token) {
    Sink[] sinks = slot.sinks;
    if (token == Token.NULL) {
      for (Sink sink : sinks) {
        if (sink.columns.addNull(row)) {
          named(sink);
        }
      }
      return;
    }
    if (token == Token.ARRAY && !sinks[0].type.readsArrays()) {
      for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
        field(slot, scanner.next());
      }
      return;
    }
    if (token == Token.OBJECT || token == Token.ARRAY) {
      // Read to its end before anybody asks for it.
      scanner.tree();
    }
    for (Sink sink : sinks) {
      boolean isKept;
      try {
        isKept = sink.columns.add(row, scanner);
      } catch (Refusal cause) {
        throw faults.badValue(sink, cause);
      }
      if (isKept) {
        named(sink);
      } else if (sink.ignoredIn != document) {
        sink.ignoredIn = document;
        ignored.add(row, sink.pathBytes, 0, sink.pathBytes.length);
      }
    }
  }

  private void named(Sink sink) {
    if (sink.needsName && sink.namedIn != document) {
      sink.namedIn = document;
      fieldNames.add(row, sink.pathBytes, 0, sink.pathBytes.length);
    }
  }

  /// Reads over a value, checking it; whether there was anything but nulls and empty arrays.
  private boolean skip(Token token) {
    switch (token) {
      case NULL -> {
        return false;
      }
      case OBJECT -> {
        long self = ++objects;
        for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
          if (!names.add(self, scanner.name(), scanner.nameOffset(), scanner.nameLength())) {
            throw scanner.duplicate(scanner.nameText());
          }
          skip(scanner.next());
        }
        return true;
      }
      case ARRAY -> {
        boolean hasValue = false;
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          hasValue |= skip(scanner.next());
        }
        return hasValue;
      }
      default -> {
        return true;
      }
    }
  }
}
