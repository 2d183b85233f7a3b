package dev.holdfast.benchmark;

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

/// Curves over the same values of x, one panel a curve, drawn into a PNG.
///
/// @param points in order of x
record Chart(String title, String xName, List<String> points, List<Curve> curves) {
  private static final int PANEL_WIDTH = 460;
  private static final int PANEL_HEIGHT = 300;
  private static final int MARGIN = 56;
  private static final int COLUMNS = 3;
  private static final int TITLE_HEIGHT = 44;

  /// More labels than this would lie on each other.
  private static final int LABELS_MAX = 14;

  private static final Color INK = new Color(0x22303c);
  private static final Color GRID = new Color(0xdde3e8);
  private static final Color LINE = new Color(0x1f6f8b);

  /// One panel.
  record Curve(String name, List<Double> values) {}

  void write(Path file) throws IOException {
    int rows = (curves.size() + COLUMNS - 1) / COLUMNS;
    BufferedImage image =
        new BufferedImage(
            COLUMNS * PANEL_WIDTH, TITLE_HEIGHT + rows * PANEL_HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.setColor(INK);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
    graphics.drawString(title, 20, 30);
    for (int i = 0; i < curves.size(); i++) {
      draw(
          graphics,
          curves.get(i),
          i % COLUMNS * PANEL_WIDTH,
          TITLE_HEIGHT + i / COLUMNS * PANEL_HEIGHT);
    }
    graphics.dispose();
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("no writer for PNG");
    }
  }

  private void draw(Graphics2D graphics, Curve curve, int left, int top) {
    int width = PANEL_WIDTH - MARGIN - 24;
    int height = PANEL_HEIGHT - MARGIN - 40;
    int x0 = left + MARGIN;
    int y0 = top + 30 + height;
    double most = Math.max(1e-9, curve.values.stream().mapToDouble(v -> v).max().orElse(1));
    graphics.setColor(INK);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
    graphics.drawString(curve.name, x0, top + 18);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    for (int step = 0; step <= 4; step++) {
      int y = y0 - height * step / 4;
      graphics.setColor(GRID);
      graphics.drawLine(x0, y, x0 + width, y);
      graphics.setColor(INK);
      graphics.drawString(number(most * step / 4), left + 8, y + 4);
    }
    int[] xs = new int[points.size()];
    int[] ys = new int[points.size()];
    for (int i = 0; i < points.size(); i++) {
      xs[i] = x0 + (points.size() == 1 ? width / 2 : width * i / (points.size() - 1));
      ys[i] = y0 - (int) Math.round(height * curve.values.get(i) / most);
      if (i % (1 + points.size() / LABELS_MAX) == 0) {
        graphics.drawString(points.get(i), xs[i] - 8, y0 + 16);
      }
    }
    graphics.drawString(xName, x0 + width / 2 - 40, y0 + 32);
    graphics.setColor(LINE);
    graphics.setStroke(new BasicStroke(2f));
    graphics.drawPolyline(xs, ys, xs.length);
    for (int i = 0; i < xs.length; i++) {
      graphics.fillOval(xs[i] - 3, ys[i] - 3, 7, 7);
    }
    graphics.setStroke(new BasicStroke(1f));
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
