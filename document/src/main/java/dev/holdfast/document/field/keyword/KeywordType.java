package dev.holdfast.document.field.keyword;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.KeywordFormat;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.field.Similarities;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `keyword`: whole strings as terms and sorted-set doc values.
public final class KeywordType implements ParameterizedField {
  private final FieldParameters parameters;
  private final boolean isIndexed;
  private final boolean hasDocValues;
  private final boolean hasNorms;
  private final IndexOptions options;
  private final int ignoreAbove;
  private final @Nullable String nullValue;
  private final @Nullable Analyzer normalizer;
  private final boolean splitsWords;
  private final @Nullable Similarity similarity;

  /// `wildcard`: the same terms; it has fewer parameters.
  public static KeywordType wildcard(FieldParameters parameters, FieldContext context) {
    return new KeywordType(parameters, context, true);
  }

  public KeywordType(FieldParameters parameters, FieldContext context) {
    this(parameters, context, false);
  }

  private KeywordType(FieldParameters parameters, FieldContext context, boolean isWildcard) {
    this.parameters = parameters;
    if (isWildcard) {
      isIndexed = true;
      hasDocValues = true;
      hasNorms = false;
      options = IndexOptions.DOCS;
      normalizer = null;
      similarity = null;
      splitsWords = false;
      ignoreAbove = ignoreAbove(parameters, context);
      nullValue = parameters.string("null_value", Change.FIXED);
      parameters.done();
      return;
    }
    isIndexed = parameters.bool("index", true, Change.FIXED);
    hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    hasNorms = parameters.bool("norms", false, Change.FIXED) && isIndexed;
    options =
        parameters
                .choice("index_options", "docs", List.of("docs", "freqs"), Change.FIXED)
                .equals("freqs")
            ? IndexOptions.DOCS_AND_FREQS
            : IndexOptions.DOCS;
    ignoreAbove = ignoreAbove(parameters, context);
    nullValue = parameters.string("null_value", Change.FIXED);
    String name = parameters.string("normalizer", Change.FIXED);
    normalizer = name == null ? null : normalizer(name, context);
    String named = parameters.string("similarity", Change.FIXED);
    similarity = Similarities.chosen(named, parameters.field(), context.settings());
    splitsWords = parameters.bool("split_queries_on_whitespace", false, Change.ALLOWED);
    parameters.bool("store", false, Change.FIXED);
    parameters.accept("eager_global_ordinals");
    if (SeriesParameters.dimension(parameters, hasDocValues) && normalizer != null) {
      throw Refusal.badArgument(
          "Field [normalizer] cannot be set in conjunction with field ["
              + SeriesParameters.DIMENSION
              + "]");
    }
    parameters.done();
  }

  private static int ignoreAbove(FieldParameters parameters, FieldContext context) {
    int ignoreAbove =
        parameters.integer(
            "ignore_above",
            context.number("index.mapping.ignore_above", Integer.MAX_VALUE),
            Change.ALLOWED);
    if (ignoreAbove < 0) {
      throw FieldParameters.mapperParsing(
          "[ignore_above] must be positive, got [" + ignoreAbove + "]");
    }
    return ignoreAbove;
  }

  private static Analyzer normalizer(String name, FieldContext context) {
    Analyzer found = context.analysis().normalizer(name);
    if (found == null) {
      throw FieldParameters.mapperParsing("normalizer [" + name + "] not found for field");
    }
    return found;
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public @Nullable Similarity similarity() {
    return similarity;
  }

  @Override
  public FieldColumns newColumns(String field) {
    FieldType type =
        ColumnTypes.terms(isIndexed ? options : IndexOptions.NONE, hasDocValues, hasNorms);
    return new KeywordColumns(
        field, type, isIndexed || hasDocValues, ignoreAbove, nullValue, normalizer);
  }

  @Override
  public boolean hasTermsAsValues() {
    return isIndexed && hasDocValues;
  }

  @Override
  public boolean isSearchable() {
    return isIndexed || hasDocValues;
  }

  @Override
  public boolean needsFieldName() {
    return !hasDocValues && !hasNorms && (isIndexed || isStored());
  }

  @Override
  public boolean isRebuilt() {
    return true;
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.KEYWORD : ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    if (zone != null) {
      throw QueryFaults.noZone(typeName(), parameters.field());
    }
    return KeywordFormat.PLAIN;
  }

  private BytesRef term(JsonNode value) {
    return new BytesRef(normalize(value.asText()));
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    if (isIndexed) {
      return new TermQuery(new Term(field, term(value)));
    }
    requireDocValues(field);
    return SortedSetDocValuesField.newSlowExactQuery(field, term(value));
  }

  private void requireDocValues(String field) {
    if (!hasDocValues) {
      throw QueryFaults.notSearchable(field);
    }
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    List<BytesRef> terms = values.stream().map(this::term).toList();
    if (isIndexed) {
      return new TermInSetQuery(field, terms);
    }
    requireDocValues(field);
    return SortedSetDocValuesField.newSlowSetQuery(field, terms);
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    BytesRef from = range.from() == null ? null : term(range.from());
    BytesRef to = range.to() == null ? null : term(range.to());
    boolean isFrom = from == null || range.isFromInclusive();
    boolean isTo = to == null || range.isToInclusive();
    if (!isIndexed) {
      requireDocValues(field);
      return SortedSetDocValuesField.newSlowRangeQuery(field, from, to, isFrom, isTo);
    }
    Query terms = new TermRangeQuery(field, from, to, isFrom, isTo);
    return hasDocValues
        ? new IndexOrDocValuesQuery(
            terms, SortedSetDocValuesField.newSlowRangeQuery(field, from, to, isFrom, isTo))
        : terms;
  }

  @Override
  public Query existsQuery(String field) {
    return hasDocValues || hasNorms ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }

  @Override
  public boolean hasTerms() {
    return isIndexed;
  }

  @Override
  public boolean splitsWords() {
    return splitsWords;
  }

  @Override
  public String normalize(String text) {
    return normalizer == null ? text : Normalizers.apply(normalizer, parameters.field(), text);
  }
}
