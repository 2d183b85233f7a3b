package dev.holdfast.api.cat;

import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Format;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A table as the `_cat` APIs show it: lines of aligned text, or a list of objects. Cells are
/// strings, numbers, sizes ([ByteSize]), durations, or null for "nothing".
public final class CatTable {
  /// The query parameters that every table takes.
  static final List<String> PARAMETERS =
      List.of(
          "bytes",
          "full_id",
          "h",
          "help",
          "local",
          "master_timeout",
          "pri",
          "s",
          "size",
          "time",
          "ts",
          "v");

  /// Memory for a cell, as it is and as text.
  private static final int CELL_BYTES = 64;

  private final List<Column> columns = new ArrayList<>();
  private final List<List<@Nullable Object>> rows = new ArrayList<>();
  private @Nullable String warning;

  /// @param aliases other names for `h` and `s`
  /// @param isShown without being asked for
  private record Column(String name, List<String> aliases, String description, boolean isShown) {
    boolean isCalled(String wanted) {
      return Wildcards.matches(wanted, name)
          || aliases.stream().anyMatch(alias -> Wildcards.matches(wanted, alias));
    }
  }

  /// Adds a column that is always shown.
  CatTable column(String name, String aliases, String description) {
    return add(name, aliases, description, true);
  }

  /// Adds a column that is shown when asked for.
  CatTable hidden(String name, String aliases, String description) {
    return add(name, aliases, description, false);
  }

  private CatTable add(String name, String aliases, String description, boolean isShown) {
    List<String> others = aliases.isEmpty() ? List.of() : List.of(aliases.split(",", -1));
    columns.add(new Column(name, others, description, isShown));
    return this;
  }

  /// Adds a row: a cell for each column, hidden ones too.
  void row(@Nullable Object... cells) {
    RequestMemory.add((long) CELL_BYTES * cells.length);
    List<@Nullable Object> row = new ArrayList<>(cells.length);
    for (Object cell : cells) {
      row.add(cell);
    }
    Promise.keep(row.size() == columns.size(), "a cell a column", "row", row);
    rows.add(row);
  }

  /// Says beside the table what it lacks.
  void warn(String text) {
    warning = text;
  }

  /// Whether the request shows or sorts by a hidden column; the cells of hidden ones may be empty
  /// when it does not.
  boolean wantsHidden(ApiRequest request) {
    return wantsOf(request, column -> !column.isShown());
  }

  /// Whether the request shows or sorts by any column but these.
  boolean wantsMoreThan(ApiRequest request, Set<String> names) {
    return wantsOf(request, column -> !names.contains(column.name()));
  }

  private boolean wantsOf(ApiRequest request, Predicate<Column> isMeant) {
    if (request.flag("help", false)) {
      return false;
    }
    List<String> shown = request.list("h");
    List<String> sorts = request.list("s").stream().map(key -> key.split(":", 2)[0]).toList();
    return columns.stream()
        .filter(isMeant)
        .anyMatch(column ->
            (shown.isEmpty() && column.isShown())
                || shown.stream().anyMatch(column::isCalled)
                || sorts.stream().anyMatch(column::isCalled));
  }

  Answer answer(ApiRequest request) {
    if (request.flag("help", false)) {
      return Answer.text(200, help());
    }
    sort(request.list("s"));
    List<Shown> shown = shown(request.list("h"));
    CatUnits units = CatUnits.of(request);
    Answer answer =
        request.accepts() == null || request.accepts() == Format.TEXT
            ? Answer.text(200, text(shown, units, request.flag("v", false)))
            : structured(shown, units);
    return warning == null ? answer : answer.warn(warning);
  }

  private String help() {
    int names = columns.stream().mapToInt(c -> c.name().length()).max().orElse(0);
    int aliases = columns.stream().mapToInt(c -> aliases(c).length()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (Column column : columns) {
      pad(text, column.name(), names, false).append(" | ");
      pad(text, aliases(column), aliases, false).append(" | ");
      text.append(column.description()).append('\n');
    }
    return text.toString();
  }

  private static String aliases(Column column) {
    return column.aliases().isEmpty() ? "-" : String.join(",", column.aliases());
  }

  /// Sorts once by all keys: of thousands of them those of a column that came before say nothing.
  private void sort(List<String> keys) {
    Map<Integer, Comparator<List<@Nullable Object>>> orders = new LinkedHashMap<>();
    for (String key : keys) {
      String[] parts = key.split(":", 2);
      int index = indexOf(parts[0]);
      Comparator<List<@Nullable Object>> order =
          Comparator.comparing(row -> row.get(index), Comparator.nullsFirst(CatTable::compare));
      if (parts.length > 1 && !parts[1].equals("desc") && !parts[1].equals("asc")) {
        throw noSortKey(key);
      }
      boolean isDescending = parts.length > 1 && parts[1].equals("desc");
      orders.putIfAbsent(index, isDescending ? order.reversed() : order);
    }
    if (!orders.isEmpty()) {
      rows.sort((a, b) -> {
        StopSignal.pollForCancelling();
        int compared = 0;
        for (Comparator<List<@Nullable Object>> order : orders.values()) {
          compared = compared == 0 ? order.compare(a, b) : compared;
        }
        return compared;
      });
    }
  }

  private static Refusal noSortKey(String key) {
    return Refusal.badArgument("Unable to sort by unknown sort key `" + key + "`");
  }

  private int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name) || columns.get(i).aliases().contains(name)) {
        return i;
      }
    }
    throw noSortKey(name);
  }

  private static int compare(Object a, Object b) {
    return switch (a) {
      case Number x when b instanceof Number y -> Double.compare(x.doubleValue(), y.doubleValue());
      case ByteSize x when b instanceof ByteSize y -> x.compareTo(y);
      case Duration x when b instanceof Duration y -> x.compareTo(y);
      default -> a.toString().compareTo(b.toString());
    };
  }

  /// A column as the answer names it: as the request did.
  private record Shown(int column, String name) {}

  private List<Shown> shown(List<String> wanted) {
    Map<Integer, Shown> shown = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      if (wanted.isEmpty() && columns.get(i).isShown()) {
        shown.put(i, new Shown(i, columns.get(i).name()));
      }
    }
    for (String name : wanted) {
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        if (column.isCalled(name)) {
          shown.putIfAbsent(
              i, new Shown(i, column.aliases().contains(name) ? name : column.name()));
        }
      }
    }
    return List.copyOf(shown.values());
  }

  private Answer structured(List<Shown> shown, CatUnits units) {
    return Answer.of(out -> {
      out.writeStartArray();
      for (List<@Nullable Object> row : rows) {
        out.writeStartObject();
        for (Shown column : shown) {
          out.writeFieldName(column.name());
          Object cell = row.get(column.column());
          if (cell == null) {
            out.writeNull();
          } else {
            out.writeString(units.text(cell));
          }
        }
        out.writeEndObject();
      }
      out.writeEndArray();
    });
  }

  private String text(List<Shown> shown, CatUnits units, boolean withHeader) {
    List<List<String>> lines = new ArrayList<>();
    if (withHeader) {
      lines.add(shown.stream().map(Shown::name).toList());
    }
    for (List<@Nullable Object> row : rows) {
      List<String> line = new ArrayList<>();
      for (Shown column : shown) {
        Object cell = row.get(column.column());
        line.add(cell == null ? "" : units.text(cell));
      }
      lines.add(line);
    }
    // Asked once a column, not once a cell: tables have thousands of lines.
    boolean[] isRight = new boolean[shown.size()];
    int[] widths = new int[shown.size()];
    for (int i = 0; i < widths.length; i++) {
      isRight[i] = isRight(shown.get(i).column());
      widths[i] = i == widths.length - 1 && !isRight[i] ? 0 : width(lines, i);
    }
    // One wide cell makes every line wide. As text, as the string that it becomes, and as bytes.
    RequestMemory.add(3L * lines.size() * Arrays.stream(widths).asLongStream().sum());
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      for (int i = 0; i < line.size(); i++) {
        pad(text, line.get(i), widths[i], isRight[i]).append(i == widths.length - 1 ? "\n" : " ");
      }
    }
    return text.toString();
  }

  private boolean isRight(int column) {
    return rows.stream()
        .map(row -> row.get(column))
        .anyMatch(cell -> cell instanceof Number || cell instanceof ByteSize);
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }

  private static StringBuilder pad(StringBuilder to, String text, int width, boolean isRight) {
    String blanks = " ".repeat(Math.max(0, width - text.length()));
    return isRight ? to.append(blanks).append(text) : to.append(text).append(blanks);
  }

  /// How sizes and durations are shown.
  ///
  /// @param size the unit of `bytes`, or null for the one that suits
  /// @param time the unit of `time`, or null for the one that suits
  private record CatUnits(@Nullable String size, @Nullable String time) {
    static CatUnits of(ApiRequest request) {
      return new CatUnits(request.text("bytes"), request.text("time"));
    }

    String text(Object cell) {
      return switch (cell) {
        case ByteSize bytes -> size == null ? bytes.toString() : Long.toString(inUnit(bytes));
        case Duration duration ->
            time == null
                ? TimeValue.text(duration.toMillis())
                : Long.toString(duration.toNanos() / TimeValue.parse("time", "1" + time).toNanos());
        case Double number -> String.format(Locale.ROOT, "%.2f", number);
        default -> cell.toString();
      };
    }

    private long inUnit(ByteSize bytes) {
      return bytes.bytes() / ByteSize.parse("bytes", "1" + size).bytes();
    }
  }
}
