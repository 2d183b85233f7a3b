package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.Token;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads the values at one path of documents into columns, however their members are nested or
/// dotted. A value that is none of the field's kind counts as no value. Not thread-safe.
final class SourcePath {
  private final byte[] path;
  private final FieldType type;
  private final FieldColumns columns;
  private final JsonScanner scanner = new JsonScanner();

  SourcePath(String path, FieldType type, FieldColumns columns) {
    this.path = path.getBytes(StandardCharsets.UTF_8);
    this.type = type;
    this.columns = columns;
  }

  /// @param source of the document of that row
  void read(int row, byte[] source) {
    scanner.open(source, 0, source.length);
    if (scanner.next() == Token.OBJECT) {
      members(row, 0);
    }
  }

  /// Members of an object of which the path up to `from` leads to it.
  private void members(int row, int from) {
    for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
      int after = from + scanner.nameLength();
      boolean isOnPath = isOnPath(from, after);
      Token token = scanner.next();
      if (!isOnPath) {
        scanner.skip(token);
      } else if (after == path.length) {
        values(row, token);
      } else {
        objects(row, after + 1, token);
      }
    }
  }

  /// Whether the member's name is a step of the path, or several with dots.
  private boolean isOnPath(int from, int after) {
    boolean isStep = after == path.length || (after < path.length && path[after] == '.');
    int begin = scanner.nameOffset();
    return isStep
        && Arrays.equals(path, from, after, scanner.name(), begin, begin + scanner.nameLength());
  }

  private void objects(int row, int from, Token token) {
    switch (token) {
      case OBJECT -> members(row, from);
      case ARRAY -> {
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          objects(row, from, scanner.next());
        }
      }
      default -> {}
    }
  }

  private void values(int row, Token token) {
    switch (token) {
      case NULL -> {}
      case ARRAY -> {
        if (type.readsArrays()) {
          var _ = scanner.tree();
          add(row);
        } else {
          for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
            values(row, scanner.next());
          }
        }
      }
      case OBJECT -> {
        if (type.readsObjects()) {
          var _ = scanner.tree();
          add(row);
        } else {
          scanner.skip(token);
        }
      }
      case STRING -> {
        if (scanner.length() > 0 || type.values() == ValuesKind.KEYWORD) {
          add(row);
        }
      }
      default -> add(row);
    }
  }

  private void add(int row) {
    try {
      boolean _ = columns.add(row, scanner);
    } catch (Refusal malformed) {
      return; // as Elasticsearch: no value
    }
  }
}
