package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.SeriesParameters;
import java.util.List;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `flattened`: a whole object as one field whose values are keywords, or one key of it
/// (`labels.release`).
public final class FlattenedType implements ParameterizedField {
  private static final int DEPTH_MAX = 20;

  private final FieldParameters parameters;
  private final boolean isIndexed;
  private final boolean hasDocValues;
  private final int depthMax;
  private final int ignoreAbove;
  private final @Nullable String nullValue;
  private final List<String> dimensionKeys;
  private final boolean splitsWords;

  /// What the key's terms begin with; empty for the whole object.
  private final BytesRef prefix;

  /// Lucene's field when this is a key.
  private final @Nullable String keyedField;

  public FlattenedType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    isIndexed = parameters.bool("index", true, Change.FIXED);
    hasDocValues = parameters.bool("doc_values", true, Change.FIXED);
    depthMax = parameters.integer("depth_limit", DEPTH_MAX, Change.ALLOWED);
    ignoreAbove =
        parameters.integer(
            "ignore_above",
            context.number("index.mapping.ignore_above", Integer.MAX_VALUE),
            Change.ALLOWED);
    nullValue = parameters.string("null_value", Change.FIXED);
    splitsWords = parameters.bool("split_queries_on_whitespace", false, Change.ALLOWED);
    parameters.accept("eager_global_ordinals", "index_options", "similarity");
    dimensionKeys = SeriesParameters.keys(parameters, isIndexed && hasDocValues);
    parameters.done();
    prefix = new BytesRef();
    keyedField = null;
  }

  private FlattenedType(FlattenedType whole, String field, String key) {
    parameters = whole.parameters;
    isIndexed = whole.isIndexed;
    hasDocValues = whole.hasDocValues;
    depthMax = whole.depthMax;
    ignoreAbove = whole.ignoreAbove;
    nullValue = whole.nullValue;
    dimensionKeys = List.of();
    splitsWords = whole.splitsWords;
    prefix = TermValues.keyPrefix(key);
    keyedField = field + TermValues.KEYED;
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public List<String> dimensionKeys() {
    return dimensionKeys;
  }

  @Override
  public @Nullable FieldType under(String field, String key) {
    return keyedField == null ? new FlattenedType(this, field, key) : null;
  }

  @Override
  public boolean splitsWords() {
    return splitsWords;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new FlattenedColumns(
        field,
        ColumnTypes.terms(isIndexed ? IndexOptions.DOCS : IndexOptions.NONE, hasDocValues, false),
        depthMax,
        ignoreAbove,
        nullValue);
  }

  @Override
  public boolean isSearchable() {
    return isIndexed || hasDocValues;
  }

  @Override
  public boolean needsFieldName() {
    return isIndexed && !hasDocValues;
  }

  @Override
  public JsonNode keptSource(@Nullable JsonNode before, JsonNode value) {
    return FlattenedSource.of(before, value);
  }

  @Override
  public ValuesKind values() {
    return hasDocValues ? ValuesKind.KEYWORD : ValuesKind.NONE;
  }

  private String lucene(String field) {
    return keyedField == null ? field : keyedField;
  }

  private BytesRef term(JsonNode value) {
    return keyed(value.asText());
  }

  private BytesRef keyed(String text) {
    BytesRef value = new BytesRef(text);
    if (keyedField == null) {
      return value;
    }
    byte[] bytes = new byte[prefix.length + value.length];
    System.arraycopy(prefix.bytes, prefix.offset, bytes, 0, prefix.length);
    System.arraycopy(value.bytes, value.offset, bytes, prefix.length, value.length);
    return new BytesRef(bytes);
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    return isIndexed
        ? new TermQuery(new Term(lucene(field), term(value)))
        : SortedSetDocValuesField.newSlowExactQuery(lucene(field), term(value));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    List<BytesRef> terms = values.stream().map(this::term).toList();
    return isIndexed
        ? new TermInSetQuery(lucene(field), terms)
        : SortedSetDocValuesField.newSlowSetQuery(lucene(field), terms);
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    JsonNode first = range.from();
    JsonNode last = range.to();
    BytesRef from = first == null ? least() : term(first);
    BytesRef to = last == null ? greatest() : term(last);
    boolean isFrom = first == null || range.isFromInclusive();
    boolean isTo = last == null ? keyedField == null : range.isToInclusive();
    return isIndexed
        ? new TermRangeQuery(lucene(field), from, to, isFrom, isTo)
        : SortedSetDocValuesField.newSlowRangeQuery(lucene(field), from, to, isFrom, isTo);
  }

  private @Nullable BytesRef least() {
    return keyedField == null ? null : prefix;
  }

  private @Nullable BytesRef greatest() {
    if (keyedField == null) {
      return null;
    }
    BytesRef behind = BytesRef.deepCopyOf(prefix);
    behind.bytes[behind.offset + behind.length - 1]++;
    return behind;
  }

  @Override
  public @Nullable Query prefixQuery(
      String field, String text, MultiTermQuery.RewriteMethod rewrite) {
    return new PrefixQuery(new Term(lucene(field), keyed(text)), rewrite);
  }

  @Override
  public Term ownTerm(String field, String text) {
    return new Term(lucene(field), keyed(text));
  }

  @Override
  public Query existsQuery(String field) {
    if (keyedField != null) {
      return rangeQuery(field, new Range(null, true, null, true, null, null), 0);
    }
    return hasDocValues
        ? new org.apache.lucene.search.FieldExistsQuery(field)
        : FieldNames.exists(field);
  }

  @Override
  public boolean isVirtual() {
    return keyedField != null;
  }

  @Override
  public boolean hasTerms() {
    return isIndexed && keyedField == null;
  }
}
