package dev.holdfast.architecture;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// The house as text, and as SVG: a row for each module, in the order in which they may use each
/// other, and in it a box for each package, as wide as it has files.
final class Drawing {
  private static final int WIDTH = 1280;
  private static final int LEFT = 170;
  private static final int FILE_WIDTH = 9;
  private static final int BOX_WIDTH_MIN = 92;
  private static final int BOX_HEIGHT = 34;
  private static final int GAP = 6;
  private static final int TITLE_HEIGHT = 44;
  private static final int LETTER_WIDTH = 7;
  private static final int BASELINE = 14;
  private static final String CALM = "#e8f0e4";
  private static final String CYCLIC = "#f7d9c4";
  private static final String LARGE = "#f2b8b5";

  private final House house;

  Drawing(House house) {
    this.house = house;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (House.Room room : house.rooms()) {
      text.append(String.format(Locale.ROOT, "%-16s %4d files%n", room.module(), room.files()));
      for (House.Shelf shelf : room.shelves()) {
        text.append(
            String.format(
                Locale.ROOT,
                "  %-52s %3d files, %5d lines, largest %3d%s%s%n",
                shelf.packageName(),
                shelf.files(),
                shelf.lines(),
                shelf.largest(),
                shelf.files() > House.FILES_MAX ? ", LARGE" : "",
                house.isCyclic(shelf.packageName()) ? ", CYCLIC" : ""));
      }
    }
    return text.append(summary()).append('\n').toString();
  }

  private String summary() {
    List<House.Shelf> all = house.shelves();
    return String.format(
        Locale.ROOT,
        "%d files in %d packages; %d packages above %d files, the largest has %d;"
            + " %d packages in %d cycles; longest file %d lines",
        all.stream().mapToInt(House.Shelf::files).sum(),
        all.size(),
        all.stream().filter(shelf -> shelf.files() > House.FILES_MAX).count(),
        House.FILES_MAX,
        all.stream().mapToInt(House.Shelf::files).max().orElse(0),
        house.cycles().stream().mapToInt(Collection::size).sum(),
        house.cycles().size(),
        all.stream().mapToInt(House.Shelf::largest).max().orElse(0));
  }

  String svg() {
    StringBuilder rows = new StringBuilder();
    int y = TITLE_HEIGHT;
    for (House.Room room : house.rooms()) {
      label(rows, GAP, y + 2 * BASELINE, room.module() + " · " + room.files(), true);
      int x = LEFT;
      for (House.Shelf shelf : room.shelves()) {
        String name = name(room, shelf);
        int width =
            Math.max(
                Math.max(BOX_WIDTH_MIN, FILE_WIDTH * shelf.files()),
                LETTER_WIDTH * name.length() + 2 * GAP);
        width = Math.min(width, WIDTH - LEFT - GAP);
        if (x + width > WIDTH - GAP) {
          x = LEFT;
          y += BOX_HEIGHT + GAP;
        }
        box(rows, x, y, width, shelf, name);
        x += width + GAP;
      }
      y += BOX_HEIGHT + 2 * GAP;
    }
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
            WIDTH,
            y + GAP));
    label(svg, GAP, BASELINE + GAP, summary(), true);
    label(
        svg,
        GAP,
        2 * BASELINE + GAP,
        "A module uses only modules above it. Orange: in a cycle. Red: above "
            + House.FILES_MAX
            + " files.",
        false);
    return svg.append(rows).append("</svg>\n").toString();
  }

  /// The package within its module; the module's own package by its last word.
  private static String name(House.Room room, House.Shelf shelf) {
    String first = room.shelves().getFirst().packageName();
    String name = shelf.packageName();
    return name.startsWith(first + ".")
        ? name.substring(first.length() + 1)
        : name.substring("dev.holdfast.".length());
  }

  private void box(StringBuilder out, int x, int y, int width, House.Shelf shelf, String name) {
    boolean isLarge = shelf.files() > House.FILES_MAX;
    String fill = isLarge ? LARGE : house.isCyclic(shelf.packageName()) ? CYCLIC : CALM;
    out.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\""
                + " stroke=\"#666666\"><title>%s uses %s</title></rect>%n",
            x,
            y,
            width,
            BOX_HEIGHT,
            fill,
            shelf.packageName(),
            String.join(", ", shelf.uses())));
    label(out, x + GAP, y + BASELINE, name, false);
    label(out, x + GAP, y + 2 * BASELINE, shelf.files() + " files", false);
  }

  private static void label(StringBuilder out, int x, int y, String text, boolean isBold) {
    out.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\"%s>%s</text>%n",
            x,
            y,
            isBold ? " font-weight=\"bold\"" : "",
            text));
  }
}
