package dev.holdfast.document;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.text.ParseException;
import org.apache.lucene.geo.SimpleWKTShapeParser;
import org.jspecify.annotations.Nullable;

/// Reads shapes in well-known text. Collections may lie in collections, and who reads them calls
/// itself for each.
final class WellKnownText {
  /// Collections in collections, as of GeoJSON.
  static final int DEPTH_MAX = 20;

  /// Parentheses of the deepest shape that is no collection: a multipolygon's.
  private static final int PARENTHESES = 3;

  private WellKnownText() {}

  /// @return what Lucene makes of it: places, lines, polygons, boxes, arrays of them; null for
  ///   `EMPTY`, which a collection may have, too
  /// @throws Refusal `parse_exception` when it is none, or nested too deep
  /// @throws IllegalArgumentException for places that are none
  static @Nullable Object read(String text) {
    int open = 0;
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      open += at == '(' ? 1 : at == ')' ? -1 : 0;
      if (open > DEPTH_MAX + PARENTHESES) {
        throw new Refusal(
            ErrorType.PARSE,
            "failed to parse WKT: a geometry collection exceeds the maximum depth of ["
                + DEPTH_MAX
                + "]");
      }
    }
    try {
      return SimpleWKTShapeParser.parse(text);
    } catch (IOException | ParseException e) {
      throw new Refusal(ErrorType.PARSE, "failed to parse WKT: " + e.getMessage(), e);
    }
  }
}
