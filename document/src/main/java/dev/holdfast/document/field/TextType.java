package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.analysis.AsciiTokens;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.Parameters.Change;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.jspecify.annotations.Nullable;

/// `text`: analysed strings, with positions and norms; `match_only_text`: the same without norms.
final class TextType implements Declared {
  private static final int GAP = 100;
  private static final List<String> OPTIONS = List.of("docs", "freqs", "positions", "offsets");

  private final Parameters parameters;
  private final boolean isIndexed;
  private final boolean hasNorms;
  private final IndexOptions options;
  private final int gap;
  private final Analyzer analyzer;
  private final Analyzer searchAnalyzer;
  private final boolean isStandard;

  TextType(Parameters parameters, FieldContext context, boolean isMatchOnly) {
    this.parameters = parameters;
    String name = parameters.string("analyzer", Change.FIXED);
    String searchName = parameters.string("search_analyzer", Change.ALLOWED);
    String quoteName = parameters.string("search_quote_analyzer", Change.ALLOWED);
    int given;
    if (isMatchOnly) {
      isIndexed = true;
      hasNorms = false;
      options = IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
      given = GAP;
    } else {
      isIndexed = parameters.bool("index", true, Change.FIXED);
      hasNorms = parameters.bool("norms", true, Change.FIXED) && isIndexed;
      options = options(parameters.choice("index_options", "positions", OPTIONS, Change.FIXED));
      given = parameters.integer("position_increment_gap", GAP, Change.FIXED);
      parameters.accept(
          "store",
          "fielddata",
          "fielddata_frequency_filter",
          "eager_global_ordinals",
          "similarity",
          "term_vector",
          "index_prefixes",
          "index_phrases");
    }
    parameters.done();
    analyzer = context.analyzer(name);
    gap = given == GAP ? analyzer.getPositionIncrementGap(parameters.field()) : given;
    isStandard = AsciiTokens.standFor(analyzer);
    searchAnalyzer =
        searchName == null ? searchDefault(name, context) : context.analyzer(searchName);
    if (quoteName != null) {
      context.analyzer(quoteName);
    }
  }

  private static IndexOptions options(String name) {
    return switch (name) {
      case "docs" -> IndexOptions.DOCS;
      case "freqs" -> IndexOptions.DOCS_AND_FREQS;
      case "offsets" -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS;
      default -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
    };
  }

  private Analyzer searchDefault(@Nullable String name, FieldContext context) {
    Analyzer forSearch = name == null ? context.analysis().analyzer("default_search") : null;
    return forSearch == null ? analyzer : forSearch;
  }

  @Override
  public Parameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new TextColumns(
        field,
        ColumnTypes.text(isIndexed ? options : IndexOptions.NONE, hasNorms),
        analyzer,
        isStandard,
        gap);
  }

  @Override
  public boolean isSearchable() {
    return isIndexed;
  }

  @Override
  public boolean needsFieldName() {
    return isIndexed && !hasNorms;
  }

  @Override
  public ValuesKind values() {
    return ValuesKind.NONE;
  }

  @Override
  public ValueFormat format(@Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      throw QueryFaults.noFormat(typeName(), parameters.field());
    }
    return KeywordFormat.PLAIN;
  }

  @Override
  public Analyzer searchAnalyzer() {
    return searchAnalyzer;
  }

  private void requireIndexed(String field) {
    if (!isIndexed) {
      throw QueryFaults.noQuery("Cannot search on field [" + field + "] since it is not indexed.");
    }
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    requireIndexed(field);
    return new TermQuery(new Term(field, Terms.of(value)));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    requireIndexed(field);
    return new TermInSetQuery(field, values.stream().map(Terms::of).toList());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    requireIndexed(field);
    return new TermRangeQuery(
        field,
        Terms.orNull(range.from()),
        Terms.orNull(range.to()),
        range.from() == null || range.isFromInclusive(),
        range.to() == null || range.isToInclusive());
  }

  @Override
  public Query existsQuery(String field) {
    return hasNorms ? new FieldExistsQuery(field) : FieldNames.exists(field);
  }

  @Override
  public boolean hasTerms() {
    return isIndexed;
  }

  @Override
  public String normalize(String text) {
    return searchAnalyzer.normalize(parameters.field(), text).utf8ToString();
  }
}
