package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.number.NumberFormat;
import dev.holdfast.document.field.number.NumberKinds;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `_seq_no`, `_primary_term`, `_version`: one number a document, doc values only.
///
/// @param typeName also the field's name
record NumberMetadata(String typeName) implements MetadataField {
  @Override
  public ValuesKind values() {
    return ValuesKind.LONG;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    return new NumberFormat(NumberKinds.LONG, pattern);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    OptionalLong exact = NumberKinds.LONG.exact(value);
    return exact.isEmpty()
        ? new MatchNoDocsQuery("not a long")
        : NumericDocValuesField.newSlowExactQuery(field, exact.getAsLong());
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return NumericDocValuesField.newSlowSetQuery(
        field,
        values.stream()
            .map(NumberKinds.LONG::exact)
            .filter(OptionalLong::isPresent)
            .mapToLong(OptionalLong::getAsLong)
            .toArray());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    JsonNode from = range.from();
    JsonNode to = range.to();
    OptionalLong least =
        from == null
            ? OptionalLong.of(Long.MIN_VALUE)
            : NumberKinds.LONG.lower(from, range.isFromInclusive());
    OptionalLong greatest =
        to == null
            ? OptionalLong.of(Long.MAX_VALUE)
            : NumberKinds.LONG.upper(to, range.isToInclusive());
    return least.isEmpty() || greatest.isEmpty() || least.getAsLong() > greatest.getAsLong()
        ? new MatchNoDocsQuery("empty range")
        : NumericDocValuesField.newSlowRangeQuery(field, least.getAsLong(), greatest.getAsLong());
  }

  @Override
  public Query existsQuery(String field) {
    return new FieldExistsQuery(field);
  }
}
