package dev.holdfast.document.ingest.processor.parse;

import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// A line of comma-separated values (RFC 4180) being cut into columns.
record CsvLine(String line, char separator, char quote, boolean trims) {
  /// The first columns, at most that many. Behind a separator at the end of the line is none.
  List<String> columns(int columnsMax) {
    List<String> columns = new ArrayList<>();
    int position = 0;
    while (columns.size() < columnsMax && position < line.length()) {
      position = column(position, columns) + 1;
    }
    return columns;
  }

  /// Adds the column that begins at `start`.
  ///
  /// @return where it ends: at its separator, or the end of the line
  private int column(int start, List<String> columns) {
    int position = start;
    while (trims
        && position < line.length()
        && Character.isWhitespace(line.charAt(position))
        && line.charAt(position) != separator) {
      position++;
    }
    if (position < line.length() && line.charAt(position) == quote) {
      return quoted(position, columns);
    }
    int end = line.indexOf(separator, position);
    end = end < 0 ? line.length() : end;
    String column = line.substring(position, end);
    for (int i = position; i < end; i++) {
      if (isIllegal(line.charAt(i))) {
        throw Refusal.badArgument("Illegal character inside unquoted field at " + i);
      }
    }
    columns.add(trims ? column.strip() : column);
    return end;
  }

  private boolean isIllegal(char c) {
    return c == quote || c == '\n' || c == '\r';
  }

  private int quoted(int open, List<String> columns) {
    StringBuilder column = new StringBuilder();
    int position = open + 1;
    while (true) {
      if (position >= line.length()) {
        throw Refusal.badArgument("Unmatched quote");
      }
      char c = line.charAt(position);
      if (c != quote) {
        column.append(c);
        position++;
      } else if (position + 1 < line.length() && line.charAt(position + 1) == quote) {
        column.append(quote);
        position += 2;
      } else {
        break;
      }
    }
    columns.add(column.toString());
    int end = position + 1;
    while (end < line.length() && line.charAt(end) != separator) {
      if (!Character.isWhitespace(line.charAt(end))) {
        throw Refusal.badArgument(
            "character '" + line.charAt(end) + "' after quoted field at " + end);
      }
      end++;
    }
    return end;
  }
}
