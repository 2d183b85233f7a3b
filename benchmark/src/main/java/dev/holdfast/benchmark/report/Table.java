package dev.holdfast.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What was measured, one row a setting: printed as it grows, and written as CSV.
public final class Table {
  private final List<String> columns;
  private final List<String> names = new ArrayList<>();
  private final List<double[]> rows = new ArrayList<>();

  /// @param columns the first names the setting
  public Table(String... columns) {
    this.columns = List.of(columns);
    System.out.println(String.join(", ", columns));
  }

  public void add(String name, double... values) {
    names.add(name);
    rows.add(values);
    System.out.println(csv(names.size() - 1));
  }

  public List<String> names() {
    return List.copyOf(names);
  }

  public double value(int row, String column) {
    return rows.get(row)[columns.indexOf(column) - 1];
  }

  /// A panel of its own.
  public Chart.Panel curve(String column) {
    return Chart.Panel.of(column, values(column));
  }

  public List<Double> values(String column) {
    List<Double> values = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      values.add(value(row, column));
    }
    return values;
  }

  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(String.join(",", columns));
    for (int row = 0; row < rows.size(); row++) {
      lines.add(csv(row));
    }
    var _ = Files.write(file, lines);
  }

  private String csv(int row) {
    StringBuilder line = new StringBuilder(names.get(row));
    for (double value : rows.get(row)) {
      line.append(',').append(String.format(Locale.ROOT, "%.2f", value));
    }
    return line.toString();
  }
}
