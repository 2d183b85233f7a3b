package dev.holdfast.document.field.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.SeriesId;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.TermFormat;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `_tsid`: the series of a document, in indices of time series only; doc values, shown as base64.
record SeriesMetadata() implements MetadataField {
  private static final TermFormat FORMAT =
      new TermFormat() {
        @Override
        public String toText(BytesRef term) {
          return SeriesId.text(term);
        }

        @Override
        public BytesRef toTerm(JsonNode value) {
          return SeriesId.bytes(value.asText());
        }
      };

  @Override
  public String typeName() {
    return MetadataFields.SERIES;
  }

  @Override
  public boolean isSearchable() {
    return false;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.KEYWORD;
  }

  /// Sources lack it.
  @Override
  public boolean isDerived() {
    return true;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw Refusal.badArgument("Field [_tsid] of type [_tsid] doesn't support formats.");
    }
    return FORMAT;
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    throw notSearchable();
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    throw notSearchable();
  }

  private static Refusal notSearchable() {
    return QueryFaults.noQuery("[_tsid] is not searchable");
  }

  @Override
  public Query existsQuery(String field) {
    return new FieldExistsQuery(field);
  }
}
