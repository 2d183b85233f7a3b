package dev.holdfast.document.batch;

import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.mapping.tree.Dynamic;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.NameSet;
import dev.holdfast.document.scan.Token;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One pass over a document's bytes, side by side with the mapping: each value goes to its field's
/// columns.
final class DocumentWalk {
  private final JsonScanner scanner;
  private final Level root;
  private final NameSet names = new NameSet();
  private final BytesRows fieldNames;
  private final BytesRows ignored;
  private final DocumentFaults faults;
  private final BytesRows nestedPaths;
  private final Sinks sinks;
  private final @Nullable NestedRows nestedRows;
  private long objects;
  private long documents;

  /// The Lucene document being read: the client's, or that of a nested object in it.
  private long document;

  /// The row of [#document].
  private int row;

  private int firstRow;
  private long rootDocument;

  /// The rows of the documents around the one being read, and its own, by depth.
  private int[] rowAt = new int[4];

  private boolean meetsUnknown;

  /// Whether doc values may not say all of the document, or not as it came.
  private boolean leavesSomething;

  private boolean ignoresSomething;

  DocumentWalk(
      JsonScanner scanner,
      DocumentMapping mapping,
      Sinks sinks,
      BytesRows fieldNames,
      BytesRows ignored,
      BytesRows nestedPaths) {
    this.scanner = scanner;
    this.root = new Level(sinks, mapping.root(), Dynamic.TRUE, null);
    this.sinks = sinks;
    this.nestedPaths = nestedPaths;
    this.nestedRows =
        mapping.hasNested() ? new NestedRows(scanner, mapping.limits().nestedObjectsMax()) : null;
    this.fieldNames = fieldNames;
    this.ignored = ignored;
    this.faults = new DocumentFaults(scanner);
  }

  /// Reads a document into rows from `firstRow` on: its nested objects first, itself last.
  ///
  /// @return whether it has fields that the mapping lacks and may grow by
  /// @throws Refusal `document_parsing_exception` when it can't be indexed
  /// @throws dev.holdfast.document.scan.MalformedJson when it is no JSON
  boolean read(int firstRow, DocumentSource source) {
    this.firstRow = firstRow;
    row = firstRow;
    scanner.open(source.bytes(), source.offset(), source.length());
    if (nestedRows != null) {
      row += nestedRows.count(root);
      scanner.open(source.bytes(), source.offset(), source.length());
    }
    rowAt[0] = row;
    document = ++documents;
    rootDocument = document;
    meetsUnknown = false;
    leavesSomething = false;
    ignoresSomething = false;
    names.clear();
    faults.document(source.id());
    sinks.document(source);
    if (scanner.next() != Token.OBJECT) {
      throw faults.notAnObject();
    }
    object(root);
    scanner.finish();
    return meetsUnknown;
  }

  /// Whether a value of a field was ignored in the document read last.
  boolean hasIgnored(String path) {
    return sinks.lastIgnored(path) == rootDocument;
  }

  /// Whether there may be something of the document read last that doc values lack.
  boolean leavesSomething() {
    return leavesSomething;
  }

  /// Whether any value was ignored in the document read last.
  boolean ignoresSomething() {
    return ignoresSomething;
  }

  /// The row of the document read last.
  int row() {
    return rowAt[0];
  }

  private void nested(Level level, NestedRows rows, Runnable inside) {
    int outerRow = row;
    long outerDocument = document;
    row = firstRow + rows.next();
    document = ++documents;
    if (level.depth == rowAt.length) {
      rowAt = Arrays.copyOf(rowAt, 2 * level.depth);
    }
    rowAt[level.depth] = row;
    nestedPaths.add(row, level.nestedPath, 0, level.nestedPath.length);
    inside.run();
    row = outerRow;
    document = outerDocument;
  }

  /// The member of a name with dots that leads through nested objects.
  private void opening(
      Level level, ResolvedMember slot, Token token, int nameEnd, Level[] opens, int at) {
    if (at == opens.length || nestedRows == null) {
      value(level, slot, token, nameEnd);
    } else {
      nested(opens[at], nestedRows, () -> opening(level, slot, token, nameEnd, opens, at + 1));
    }
  }

  private void object(Level level) {
    long self = ++objects;
    ResolvedMember previous = level.head;
    for (boolean isFirst = true; scanner.toMember(isFirst); isFirst = false) {
      ResolvedMember slot = previous.next;
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

  private void member(Level level, ResolvedMember slot) {
    if (slot.action == ResolvedMember.Action.FAULT) {
      throw faults.badName(slot.fault);
    }
    int nameEnd = scanner.position();
    Token token = scanner.next();
    if (slot.opens == null || token == Token.NULL) {
      value(level, slot, token, nameEnd);
    } else {
      leavesSomething = true; // which row a nested object has
      opening(level, slot, token, nameEnd, slot.opens, 0);
    }
  }

  private void value(Level level, ResolvedMember slot, Token token, int nameEnd) {
    boolean isPlain =
        switch (slot.action) {
          case FIELD ->
              slot.leavesNothing
                  && token != Token.NULL
                  && token != Token.ARRAY
                  && token != Token.OBJECT;
          case OBJECT -> slot.leavesNothing && token == Token.OBJECT;
          case SKIP, UNKNOWN, STRICT, FAULT -> false;
        };
    leavesSomething |= !isPlain;
    switch (slot.action) {
      case FIELD -> field(slot, token);
      case OBJECT -> objects(slot, token);
      case SKIP -> skip(token);
      case UNKNOWN -> {
        if (slot.level != null) {
          flat(slot, token);
        } else if (skip(token)) {
          meetsUnknown = true;
        }
      }
      case STRICT -> {
        if (slot.level != null && token == Token.OBJECT) {
          object(slot.level);
        } else if (token != Token.NULL) {
          throw faults.strict(slot.text(), level.path(), nameEnd);
        }
      }
      case FAULT -> throw faults.badName(slot.fault);
    }
  }

  /// A name that no field has, in an object without subobjects.
  private void flat(ResolvedMember slot, Token token) {
    Level inner = slot.level;
    switch (token) {
      case NULL -> {}
      case OBJECT -> {
        if (inner != null) {
          object(inner);
        }
      }
      case ARRAY -> {
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          flat(slot, scanner.next());
        }
      }
      default -> meetsUnknown = true;
    }
  }

  private void objects(ResolvedMember slot, Token token) {
    Level level = slot.level;
    if (level == null || token == Token.NULL) {
      return;
    }
    switch (token) {
      case OBJECT -> {
        if (nestedRows != null && level.isNested()) {
          nested(level, nestedRows, () -> object(level));
        } else {
          object(level);
        }
      }
      case ARRAY -> {
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          objects(slot, scanner.next());
        }
      }
      default -> throw faults.notAnObject(level.path());
    }
  }

  private void field(ResolvedMember slot, Token token) {
    Sink[] sinks = slot.sinks;
    if (token == Token.NULL) {
      for (int i = 0; i < sinks.length; i++) {
        int at = rowOf(slot, i);
        if (sinks[i].columns.addNull(at)) {
          named(sinks[i], at);
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
    if (token == Token.OBJECT && slot.level != null && !sinks[0].type.readsObjects()) {
      object(slot.level);
      return;
    }
    if (token == Token.OBJECT || token == Token.ARRAY) {
      // Read to its end before anybody asks for it.
      scanner.tree();
    }
    for (int i = 0; i < sinks.length; i++) {
      Sink sink = sinks[i];
      int at = rowOf(slot, i);
      boolean isKept;
      try {
        isKept = sink.columns.add(at, scanner);
      } catch (Refusal cause) {
        // That there is no memory for it says nothing of the value.
        throw cause.status() == 429 ? cause : faults.badValue(sink, cause);
      }
      if (sink.isCounted) {
        sink.counted++;
      }
      if (isKept) {
        named(sink, at);
      } else if (sink.ignoredIn != rootDocument) {
        leavesSomething = true;
        ignoresSomething = true;
        sink.ignoredIn = rootDocument;
        ignored.add(rowAt[0], sink.pathBytes, 0, sink.pathBytes.length);
      }
    }
  }

  private int rowOf(ResolvedMember slot, int sink) {
    return slot.depths == null ? row : rowAt[slot.depths[sink]];
  }

  private void named(Sink sink, int at) {
    if (sink.needsName && (sink.namedIn != document || at != row)) {
      sink.namedIn = document;
      fieldNames.add(at, sink.pathBytes, 0, sink.pathBytes.length);
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
