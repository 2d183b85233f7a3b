package dev.holdfast.document.field.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.CountedWords;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.TermText;
import dev.holdfast.document.field.number.NumberColumns;
import dev.holdfast.document.field.number.NumberFormat;
import dev.holdfast.document.field.number.NumberKinds;
import dev.holdfast.document.field.number.NumberQueries;
import dev.holdfast.document.scan.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `token_count`: how many tokens an analyser makes of a string, as an integer.
public final class TokenCountType implements ParameterizedField {
  private final FieldParameters parameters;
  private final Analyzer analyzer;
  private final boolean countsGaps;
  private final @Nullable Long nullValue;
  private final NumberQueries queries;

  public TokenCountType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    String name = parameters.string("analyzer", Change.ALLOWED);
    boolean isIndexed = parameters.bool("index", true, Change.FIXED);
    boolean hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    countsGaps = parameters.bool("enable_position_increments", true, Change.FIXED);
    JsonNode whenNull = parameters.any("null_value", Change.FIXED);
    parameters.bool("store", false, Change.FIXED);
    parameters.done();
    if (name == null) {
      throw FieldParameters.mapperParsing(
          "Analyzer must be set for field [" + parameters.field() + "] but wasn't.");
    }
    analyzer = context.analyzer(name);
    nullValue = whenNull == null ? null : whenNull.asLong();
    queries = new NumberQueries(isIndexed, hasDocValues, Integer.BYTES);
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new NumberColumns(
        field,
        ColumnTypes.numbers(queries.hasDocValues(), queries.hasPoints(), Integer.BYTES, false),
        value -> count(field, value),
        nullValue,
        false,
        false,
        false);
  }

  private long count(String field, JsonValue value) {
    TermText.requireScalar(value);
    // Nothing holds the words, but more than there is memory for would be counted for hours.
    try (TokenStream tokens =
        new CountedWords(analyzer.tokenStream(field, value.text()), value.length())) {
      PositionIncrementAttribute increment = tokens.addAttribute(PositionIncrementAttribute.class);
      long count = 0;
      tokens.reset();
      while (tokens.incrementToken()) {
        int step = increment.getPositionIncrement();
        count += countsGaps ? step : Math.min(1, step);
      }
      tokens.end();
      return count + (countsGaps ? increment.getPositionIncrement() : 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isDerived() {
    return true;
  }

  @Override
  public boolean isSearchable() {
    return queries.hasPoints() || queries.hasDocValues();
  }

  @Override
  public boolean needsFieldName() {
    return !queries.hasDocValues() && queries.hasPoints();
  }

  @Override
  public ValuesKind values() {
    return queries.hasDocValues() ? ValuesKind.LONG : ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    return new NumberFormat(NumberKinds.INTEGER, pattern);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    OptionalLong exact = NumberKinds.INTEGER.exact(value);
    return exact.isEmpty()
        ? new MatchNoDocsQuery("no count is " + value.asText())
        : queries.exact(field, exact.getAsLong());
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    return queries.anyOf(field, NumberQueries.exact(NumberKinds.INTEGER, values));
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    return queries.range(field, NumberKinds.INTEGER, range);
  }

  @Override
  public Query existsQuery(String field) {
    return queries.exists(field);
  }
}
