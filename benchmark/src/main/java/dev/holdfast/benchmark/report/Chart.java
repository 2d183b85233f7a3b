package dev.holdfast.benchmark.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/// Curves over the same values of x in panels, drawn into a PNG.
///
/// @param note under the title: what was measured, on which machine
/// @param points in order of x
public record Chart(
    String title, String note, String xName, List<String> points, List<Panel> panels) {
  private static final int PANEL_WIDTH = 460;
  private static final int PANEL_HEIGHT = 300;
  private static final int MARGIN = 56;
  private static final int COLUMNS = 3;
  private static final int TITLE_HEIGHT = 60;

  /// More labels than this would lie on each other.
  private static final int LABELS_MAX = 14;

  /// With more points, the line says it all.
  private static final int DOTS_MAX = 100;

  private static final Color INK = new Color(0x22303c);
  private static final Color GRID = new Color(0xdde3e8);

  /// Of the lines of a panel.
  private static final List<Color> COLORS =
      List.of(new Color(0x1f6f8b), new Color(0xc8553d), new Color(0x6a994e));

  /// Lines with one scale of y.
  public record Panel(String name, List<Line> lines) {
    public Panel {
      if (lines.size() > COLORS.size()) {
        throw new IllegalArgumentException("more lines than colors [" + lines.size() + "]");
      }
    }

    /// One with a single line.
    public static Panel of(String name, List<Double> values) {
      return new Panel(name, List.of(new Line("", values)));
    }
  }

  /// A curve.
  ///
  /// @param label empty for one that needs none
  /// @param values one a point; NaN where there is none
  public record Line(String label, List<Double> values) {}

  public void write(Path file) throws IOException {
    int rows = (panels.size() + COLUMNS - 1) / COLUMNS;
    BufferedImage image =
        new BufferedImage(
            COLUMNS * PANEL_WIDTH, TITLE_HEIGHT + rows * PANEL_HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.setColor(INK);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
    graphics.drawString(title, 20, 26);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    graphics.drawString(note, 20, 46);
    for (int i = 0; i < panels.size(); i++) {
      draw(
          graphics,
          panels.get(i),
          i % COLUMNS * PANEL_WIDTH,
          TITLE_HEIGHT + i / COLUMNS * PANEL_HEIGHT);
    }
    graphics.dispose();
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("no writer for PNG");
    }
  }

  private void draw(Graphics2D graphics, Panel panel, int left, int top) {
    int width = PANEL_WIDTH - MARGIN - 24;
    int height = PANEL_HEIGHT - MARGIN - 40;
    int x0 = left + MARGIN;
    int y0 = top + 30 + height;
    double most =
        panel.lines.stream()
            .flatMap(line -> line.values.stream())
            .filter(value -> !value.isNaN())
            .mapToDouble(value -> value)
            .max()
            .orElse(1);
    most = Math.max(1e-9, most);
    graphics.setColor(INK);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
    graphics.drawString(panel.name, x0, top + 18);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    for (int step = 0; step <= 4; step++) {
      int y = y0 - height * step / 4;
      graphics.setColor(GRID);
      graphics.drawLine(x0, y, x0 + width, y);
      graphics.setColor(INK);
      graphics.drawString(number(most * step / 4), left + 8, y + 4);
    }
    for (int i = 0; i < points.size(); i += 1 + points.size() / LABELS_MAX) {
      graphics.drawString(points.get(i), x0 + x(i, width) - 8, y0 + 16);
    }
    graphics.drawString(xName, x0 + width / 2 - 40, y0 + 32);
    graphics.setStroke(new BasicStroke(2f));
    for (int number = 0; number < panel.lines.size(); number++) {
      Line line = panel.lines.get(number);
      graphics.setColor(COLORS.get(number));
      graphics.drawString(line.label, x0 + width - 90, top + 18 + 14 * number);
      int lastX = -1;
      int lastY = -1;
      for (int i = 0; i < points.size(); i++) {
        double value = line.values.get(i);
        int x = x0 + x(i, width);
        int y = y0 - (int) Math.round(height * value / most);
        if (Double.isNaN(value)) {
          lastX = -1;
          continue;
        }
        if (points.size() <= DOTS_MAX) {
          graphics.fillOval(x - 3, y - 3, 7, 7);
        }
        if (lastX >= 0) {
          graphics.drawLine(lastX, lastY, x, y);
        }
        lastX = x;
        lastY = y;
      }
    }
    graphics.setStroke(new BasicStroke(1f));
  }

  private int x(int point, int width) {
    return points.size() == 1 ? width / 2 : width * point / (points.size() - 1);
  }

  private static String number(double value) {
    return value >= 1e6
        ? String.format(Locale.ROOT, "%.1fM", value / 1e6)
        : value >= 1e4
            ? String.format(Locale.ROOT, "%.0fk", value / 1e3)
            : value >= 10
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
  }
}
