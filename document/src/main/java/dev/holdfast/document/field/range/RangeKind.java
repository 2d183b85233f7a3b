package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.FieldType.Relation;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// What the ends of a range field are, and how they lie in points.
interface RangeKind {
  /// Bytes of one end.
  int bytes();

  /// Reads a range of a document or query into `to`: the least value in it, then the greatest.
  ///
  /// @param isQuery whether dates round as queries do
  /// @return false when no value is in it
  /// @throws Refusal when a query's ends are in the wrong order
  boolean read(Range range, boolean isQuery, long nowMillis, byte[] to);

  /// A range written as text (`10.0.0.0/8`).
  ///
  /// @throws Refusal when the kind has none
  void readText(String text, byte[] to);

  /// Whether ranges written as text are values in documents.
  default boolean readsText() {
    return false;
  }

  /// Documents with a range in that relation to `[from, to]`.
  Query query(String field, byte[] ends, Relation relation);

  /// One end as JSON shows it; null for the least or greatest value there is.
  @Nullable Object shown(byte[] ends, int offset, @Nullable String pattern);

  /// How ends are shown and read as numbers.
  ValueFormat ends(@Nullable String pattern, @Nullable ZoneId zone);

  /// @throws Refusal when a query asks for a range whose ends are in the wrong order
  static void requireOrder(boolean isOrdered, Object from, Object to) {
    if (!isOrdered) {
      throw Refusal.badArgument(
          "Range query `from` value (" + from + ") is greater than `to` value (" + to + ")");
    }
  }

  static @Nullable JsonNode present(@Nullable JsonNode node) {
    return node == null || node.isNull() ? null : node;
  }
}
