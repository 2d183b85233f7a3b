package dev.holdfast.document.field.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.analysis.AsciiTokens;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldNames;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.KeywordFormat;
import dev.holdfast.document.field.ParameterizedField;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.Similarities;
import dev.holdfast.document.field.TermText;
import dev.holdfast.world.Refusal;
import java.time.ZoneId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.similarities.Similarity;
import org.jspecify.annotations.Nullable;

/// `text`: analysed strings, with positions and norms; `match_only_text`: the same without norms
/// and scores; `search_as_you_type`: the same with shingles and their beginnings as parts.
public final class TextType implements ParameterizedField {
  private static final int GAP = 100;
  private static final int SHINGLES = 3;
  private static final List<String> VECTORS =
      List.of(
          "no",
          "yes",
          "with_positions",
          "with_offsets",
          "with_positions_offsets",
          "with_positions_payloads",
          "with_positions_offsets_payloads");
  private static final List<String> OPTIONS = List.of("docs", "freqs", "positions", "offsets");

  private final FieldParameters parameters;
  private final boolean isIndexed;
  private final boolean hasNorms;
  private final IndexOptions options;
  private final int gap;
  private final Analyzer analyzer;
  private final Analyzer searchAnalyzer;
  private final boolean isStandard;
  private final Analyzer quoteAnalyzer;
  private final String vectors;
  private final @Nullable Similarity similarity;
  private final boolean hasFieldData;
  private final boolean hasDocValues;
  private final int shingleMax;
  private final boolean hasPrefixes;

  private TextType(
      FieldParameters parameters, FieldContext context, boolean isMatchOnly, boolean isTyped) {
    this.parameters = parameters;
    String name = parameters.string("analyzer", Change.FIXED);
    String searchName = parameters.string("search_analyzer", Change.ALLOWED);
    String quoteName = parameters.string("search_quote_analyzer", Change.ALLOWED);
    int given = GAP;
    String named = null;
    if (isMatchOnly) {
      isIndexed = true;
      hasNorms = false;
      options = IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
      vectors = VECTORS.getFirst();
      hasFieldData = false;
      hasDocValues = false;
    } else {
      isIndexed = parameters.bool("index", true, Change.FIXED);
      hasNorms = parameters.bool("norms", context.hasNorms(), Change.FIXED) && isIndexed;
      options = options(parameters.choice("index_options", "positions", OPTIONS, Change.FIXED));
      parameters.bool("store", false, Change.FIXED);
      vectors = parameters.choice("term_vector", VECTORS.getFirst(), VECTORS, Change.FIXED);
      named = parameters.string("similarity", Change.FIXED);
      hasFieldData = !isTyped && parameters.bool("fielddata", false, Change.ALLOWED);
      hasDocValues = !isTyped && parameters.bool("doc_values", false, Change.FIXED);
      if (!isTyped) {
        given = parameters.integer("position_increment_gap", GAP, Change.FIXED);
        if (given != GAP && options.compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) < 0) {
          throw Refusal.badArgument(
              "Cannot set position_increment_gap on field ["
                  + parameters.field()
                  + "] without positions enabled");
        }
        parameters.bool("index_phrases", false, Change.FIXED);
        parameters.any("index_prefixes", Change.FIXED);
        parameters.accept("fielddata_frequency_filter", "eager_global_ordinals");
      }
    }
    shingleMax = isTyped ? shingleMax(parameters) : 0;
    hasPrefixes = isTyped;
    parameters.done();
    similarity =
        isMatchOnly
            ? ConstantSimilarity.ONE
            : Similarities.chosen(named, parameters.field(), context.settings());
    analyzer = context.analyzer(name);
    gap = given == GAP ? analyzer.getPositionIncrementGap(parameters.field()) : given;
    isStandard = AsciiTokens.standFor(analyzer);
    searchAnalyzer =
        searchName == null ? searchDefault(name, context) : context.analyzer(searchName);
    quoteAnalyzer = quoteName == null ? searchAnalyzer : context.analyzer(quoteName);
  }

  public static TextType text(FieldParameters parameters, FieldContext context) {
    return new TextType(parameters, context, false, false);
  }

  public static TextType matchOnly(FieldParameters parameters, FieldContext context) {
    return new TextType(parameters, context, true, false);
  }

  /// `search_as_you_type`.
  public static TextType typed(FieldParameters parameters, FieldContext context) {
    return new TextType(parameters, context, false, true);
  }

  /// A part of a `search_as_you_type`.
  private TextType(
      TextType whole, Analyzer analyzer, Analyzer searchAnalyzer, boolean hasPrefixes) {
    parameters = whole.parameters;
    isIndexed = whole.isIndexed;
    hasNorms = whole.hasNorms;
    options = whole.options;
    vectors = whole.vectors;
    hasFieldData = false;
    hasDocValues = false;
    shingleMax = 0;
    this.hasPrefixes = hasPrefixes;
    similarity = whole.similarity;
    gap = GAP;
    isStandard = false;
    this.analyzer = analyzer;
    this.searchAnalyzer = searchAnalyzer;
    quoteAnalyzer = searchAnalyzer;
  }

  private static int shingleMax(FieldParameters parameters) {
    int shingleMax = parameters.integer("max_shingle_size", SHINGLES, Change.FIXED);
    if (shingleMax < 2 || shingleMax > SHINGLES + 1) {
      throw FieldParameters.mapperParsing(
          "[max_shingle_size] must be at least [2] and at most [4], got [" + shingleMax + "]");
    }
    return shingleMax;
  }

  @Override
  public SortedMap<String, FieldType> parts() {
    SortedMap<String, FieldType> parts = new TreeMap<>();
    if (shingleMax > 0) {
      for (int size = 2; size <= shingleMax; size++) {
        Analyzer shingles = Shingled.of(analyzer, size);
        parts.put(
            "._" + size + "gram",
            new TextType(this, shingles, Shingled.of(searchAnalyzer, size), true));
      }
      parts.put(
          "._index_prefix",
          new TextType(
              this,
              Shingled.prefixes(analyzer, shingleMax),
              Shingled.of(searchAnalyzer, shingleMax),
              false));
    }
    return parts;
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
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new TextColumns(
        field,
        ColumnTypes.text(isIndexed ? options : IndexOptions.NONE, hasNorms, vectors),
        analyzer,
        isStandard,
        gap,
        hasDocValues
            ? TextColumns.DocValues.WHOLE
            : hasFieldData ? TextColumns.DocValues.TERMS : TextColumns.DocValues.NONE);
  }

  @Override
  public boolean isSearchable() {
    return isIndexed;
  }

  @Override
  public boolean needsFieldName() {
    return !hasNorms && (isIndexed || isStored());
  }

  @Override
  public ValuesKind values() {
    return hasFieldData || hasDocValues ? ValuesKind.KEYWORD : ValuesKind.NONE;
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

  @Override
  public boolean isVirtual() {
    return hasFieldData || hasDocValues;
  }

  @Override
  public @Nullable Similarity similarity() {
    return similarity;
  }

  @Override
  public Analyzer indexAnalyzer() {
    return analyzer;
  }

  @Override
  public Analyzer quoteAnalyzer() {
    return quoteAnalyzer;
  }

  /// Of what is typed, the beginnings of words are terms of a part.
  @Override
  public @Nullable Query prefixQuery(
      String field, String text, MultiTermQuery.RewriteMethod rewrite) {
    int length = text.codePointCount(0, text.length());
    return hasPrefixes && length > 0 && length <= Shingled.PREFIX_MAX
        ? new ConstantScoreQuery(
            new TermQuery(new Term(parameters.field() + "._index_prefix", text)))
        : null;
  }

  private void requireIndexed(String field) {
    if (!isIndexed) {
      throw QueryFaults.noQuery("Cannot search on field [" + field + "] since it is not indexed.");
    }
  }

  @Override
  public Query termQuery(String field, JsonNode value, long nowMillis) {
    requireIndexed(field);
    return new TermQuery(new Term(field, TermText.of(value)));
  }

  @Override
  public Query termsQuery(String field, List<JsonNode> values, long nowMillis) {
    requireIndexed(field);
    return new TermInSetQuery(field, values.stream().map(TermText::of).toList());
  }

  @Override
  public Query rangeQuery(String field, Range range, long nowMillis) {
    requireIndexed(field);
    return new TermRangeQuery(
        field,
        TermText.orNull(range.from()),
        TermText.orNull(range.to()),
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
