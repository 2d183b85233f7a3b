package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.QueryFaults;
import java.util.List;
import java.util.OptionalLong;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/// Queries over sortable longs that are indexed as points, doc values or both.
///
/// @param pointBytes 4 or 8
public record NumberQueries(boolean hasPoints, boolean hasDocValues, int pointBytes) {
  public Query exact(String field, long value) {
    if (!hasPoints) {
      requireDocValues(field);
      return SortedNumericDocValuesField.newSlowExactQuery(field, value);
    }
    return pointBytes == Integer.BYTES
        ? IntPoint.newExactQuery(field, (int) value)
        : LongPoint.newExactQuery(field, value);
  }

  public Query anyOf(String field, long[] values) {
    if (values.length == 0) {
      return new MatchNoDocsQuery("no value can match");
    }
    if (!hasPoints) {
      requireDocValues(field);
      return SortedNumericDocValuesField.newSlowSetQuery(field, values);
    }
    if (pointBytes == Long.BYTES) {
      return LongPoint.newSetQuery(field, values);
    }
    int[] narrow = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      narrow[i] = (int) values[i];
    }
    return IntPoint.newSetQuery(field, narrow);
  }

  /// The doc values equal to any of a query's values.
  public static long[] exact(NumberKind kind, List<JsonNode> values) {
    return values.stream()
        .map(kind::exact)
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .toArray();
  }

  public Query range(String field, NumberKind kind, FieldType.Range range) {
    JsonNode from = range.from();
    JsonNode to = range.to();
    OptionalLong least =
        from == null ? OptionalLong.of(Long.MIN_VALUE) : kind.lower(from, range.isFromInclusive());
    OptionalLong greatest =
        to == null ? OptionalLong.of(Long.MAX_VALUE) : kind.upper(to, range.isToInclusive());
    return least.isEmpty() || greatest.isEmpty()
        ? new MatchNoDocsQuery("empty range")
        : range(field, least.getAsLong(), greatest.getAsLong());
  }

  /// Both ends inclusive.
  public Query range(String field, long from, long to) {
    if (from > to) {
      return new MatchNoDocsQuery("empty range");
    }
    if (!hasPoints) {
      requireDocValues(field);
      return SortedNumericDocValuesField.newSlowRangeQuery(field, from, to);
    }
    Query points =
        pointBytes == Integer.BYTES
            ? IntPoint.newRangeQuery(field, cut(from), cut(to))
            : LongPoint.newRangeQuery(field, from, to);
    return hasDocValues
        ? new IndexOrDocValuesQuery(
            points, SortedNumericDocValuesField.newSlowRangeQuery(field, from, to))
        : points;
  }

  private static int cut(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  public Query exists(String field) {
    return hasDocValues ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }

  private void requireDocValues(String field) {
    if (!hasDocValues) {
      throw QueryFaults.notSearchable(field);
    }
  }
}
