package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.query.clause.term.Patterns;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.queryparser.classic.QueryParserBase;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/// Documents of a query in Lucene's own language: `title:(quick OR brown) AND size:[1 TO 5]`.
///
/// @param fields names and patterns with `^boost` for words without a field; empty for the index's
///   default fields
/// @param options of the words; its analyser is that of `analyzer`
/// @param quoteAnalyzer of phrases, null for the field's
/// @param quoteFieldSuffix added to the field of a phrase, where such a field exists; null for none
/// @param fuzziness of words with `~`
/// @param rewrite of prefixes, wildcards and regular expressions
public record QueryStringClause(
    String query,
    List<String> fields,
    MultiMatchClause.Type type,
    @Nullable Double tieBreaker,
    MatchOptions options,
    @Nullable String quoteAnalyzer,
    @Nullable String quoteFieldSuffix,
    Fuzziness fuzziness,
    MultiTermQuery.@Nullable RewriteMethod rewrite,
    boolean allowsLeadingWildcard,
    boolean analyzesWildcards,
    boolean escapes,
    int determinizedStatesMax,
    @Nullable ZoneId zone,
    boolean saysLeniency)
    implements QueryClause {

  private static final int DEPTH_MAX = 200;

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    JsonNode given = json.take("query");
    if (given == null || given.isNull()) {
      throw QueryReader.parsing("[query_string] must be provided with a [query]");
    }
    if (given.isContainerNode()) {
      throw QueryReader.parsing("[query_string] query does not support [query]");
    }
    List<String> fields = json.list("fields");
    String defaultField = json.string("default_field");
    if (!fields.isEmpty() && defaultField != null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: cannot use [fields] parameter in conjunction with"
              + " [default_field];");
    }
    boolean saysLeniency = json.has("lenient");
    MatchOptions options =
        new MatchOptions(
            json.string("analyzer"),
            MatchOptions.operator(json.string("default_operator")),
            json.string("minimum_should_match"),
            null,
            rewriteOf(json.string("fuzzy_rewrite")),
            json.bool("lenient", false),
            false,
            json.bool("auto_generate_synonyms_phrase_query", true),
            json.integer("phrase_slop", 0),
            MatchOptions.PLAIN.expansionsMax());
    MinimumShouldMatch.check(options.minimumShouldMatch());
    boolean _ = json.bool("enable_position_increments", true);
    Double tie = json.has("tie_breaker") ? (Double) json.doubleValue("tie_breaker", 0) : null;
    String rewrite = json.string("rewrite");
    return of.finish(
        new QueryStringClause(
            given.asText(),
            List.copyOf(defaultField == null ? fields : List.of(defaultField)),
            MultiMatchClause.Type.parse(json.string("type", "best_fields")),
            tie,
            options,
            json.string("quote_analyzer"),
            json.string("quote_field_suffix"),
            Fuzziness.parsePrefixed(json),
            rewriteOf(rewrite),
            json.bool("allow_leading_wildcard", true),
            json.bool("analyze_wildcard", false),
            json.bool("escape", false),
            json.integer("max_determinized_states", 10_000),
            zone(json.string("time_zone")),
            saysLeniency));
  }

  private static MultiTermQuery.@Nullable RewriteMethod rewriteOf(@Nullable String name) {
    return name == null ? null : Patterns.rewrite(name);
  }

  private static @Nullable ZoneId zone(@Nullable String name) {
    try {
      return name == null ? null : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new Refusal(ErrorType.PARSING, "[query_string] time_zone [" + name + "] is unknown", e);
    }
  }

  /// The parser calls itself for each bracket that opens.
  private static void refuseDepth(String text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth > DEPTH_MAX) {
        throw new Refusal(
            ErrorType.QUERY_SHARD,
            "Failed to parse query: brackets nest deeper than [" + DEPTH_MAX + "]");
      }
    }
  }

  @Override
  public Query toLucene(QueryContext context) {
    TextQueries.requireAnalyzer(context, options.analyzer());
    TextQueries.requireAnalyzer(context, quoteAnalyzer);
    String text = escapes ? QueryParserBase.escape(query) : query;
    if (text.isBlank()) {
      return new MatchNoDocsQuery("empty query string");
    }
    if (text.strip().equals("*") && fields.isEmpty()) {
      return MatchAllDocsQuery.INSTANCE;
    }
    refuseDepth(text);
    WordLimit.check(text);
    QueryStringParser parser = new QueryStringParser(context, this);
    parser.setDefaultOperator(
        options.operator() == Occur.MUST ? QueryParser.Operator.AND : QueryParser.Operator.OR);
    parser.setAllowLeadingWildcard(allowsLeadingWildcard);
    parser.setPhraseSlop(options.slop());
    parser.setDeterminizeWorkLimit(determinizedStatesMax);
    try {
      Query parsed = parser.parse(text);
      return withMinimum(parsed);
    } catch (ParseException | TooComplexToDeterminizeException e) {
      throw failed(e);
    } catch (IllegalArgumentException e) {
      throw failed(e);
    }
  }

  private Refusal failed(Exception e) {
    return e.getCause() instanceof Refusal refusal
        ? refusal
        : new Refusal(
            ErrorType.QUERY_SHARD,
            "Failed to parse query [" + query + "]",
            new Refusal(ErrorType.LUCENE_PARSE, String.valueOf(e.getMessage())));
  }

  private Query withMinimum(Query parsed) {
    return switch (parsed) {
      case BoostQuery boosted when boosted.getQuery() instanceof BooleanQuery words ->
          new BoostQuery(
              MinimumShouldMatch.apply(words, options.minimumShouldMatch()), boosted.getBoost());
      case BooleanQuery words -> MinimumShouldMatch.apply(words, options.minimumShouldMatch());
      default -> parsed;
    };
  }
}
