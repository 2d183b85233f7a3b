package dev.holdfast.document.field.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.FieldType.Relation;
import dev.holdfast.document.ValueFormat;
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
  boolean read(Range range, boolean isQuery, long nowMillis, byte[] to);

  /// A range written as text (`10.0.0.0/8`).
  ///
  /// @throws dev.holdfast.world.Refusal when the kind has none
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

  static @Nullable JsonNode present(@Nullable JsonNode node) {
    return node == null || node.isNull() ? null : node;
  }
}
