package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents of a query in the language that never fails: `"exact words" +must -not pre*`.
///
/// @param fields names and patterns with `^boost`; empty for the index's default fields
/// @param flags operators that are known, as [SimpleQueryParser] numbers them
public record SimpleQueryStringClause(
    String query,
    List<String> fields,
    int flags,
    MatchOptions options,
    Fuzziness fuzziness,
    boolean analyzesWildcards,
    @Nullable String quoteFieldSuffix)
    implements QueryClause {

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    JsonNode given = json.take("query");
    if (given == null || given.isNull()) {
      throw QueryReader.parsing("[simple_query_string] query text missing");
    }
    if (given.isContainerNode()) {
      throw QueryReader.parsing("[simple_query_string] query does not support [query]");
    }
    MatchOptions options =
        new MatchOptions(
            json.string("analyzer"),
            MatchOptions.operator(json.string("default_operator")),
            json.string("minimum_should_match"),
            null,
            null,
            json.bool("lenient", false),
            false,
            json.bool("auto_generate_synonyms_phrase_query", true),
            0,
            MatchOptions.PLAIN.expansionsMax());
    MinimumShouldMatch.check(options.minimumShouldMatch());
    return of.finish(
        new SimpleQueryStringClause(
            given.asText(),
            List.copyOf(json.list("fields")),
            flags(json.take("flags")),
            options,
            Fuzziness.parseUnsaid(json),
            json.bool("analyze_wildcard", false),
            json.string("quote_field_suffix")));
  }

  private static int flags(@Nullable JsonNode given) {
    if (given != null && given.isNumber() && !given.canConvertToInt()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "Numeric value (" + given.asText() + ") out of range of int");
    }
    if (given == null || given.isNull() || given.isNumber()) {
      return given == null || given.isNull() || given.intValue() == -1 ? -1 : given.intValue();
    }
    if (given.isContainerNode()) {
      throw QueryReader.parsing("[simple_query_string] query does not support [flags]");
    }
    int flags = 0;
    for (String name : given.asText().split("\\|", -1)) {
      flags |=
          switch (name.strip().toUpperCase(Locale.ROOT)) {
            case "ALL", "" -> -1;
            case "NONE" -> 0;
            case "AND" -> SimpleQueryParser.AND_OPERATOR;
            case "NOT" -> SimpleQueryParser.NOT_OPERATOR;
            case "OR" -> SimpleQueryParser.OR_OPERATOR;
            case "PREFIX" -> SimpleQueryParser.PREFIX_OPERATOR;
            case "PHRASE" -> SimpleQueryParser.PHRASE_OPERATOR;
            case "PRECEDENCE" -> SimpleQueryParser.PRECEDENCE_OPERATORS;
            case "ESCAPE" -> SimpleQueryParser.ESCAPE_OPERATOR;
            case "WHITESPACE" -> SimpleQueryParser.WHITESPACE_OPERATOR;
            case "FUZZY" -> SimpleQueryParser.FUZZY_OPERATOR;
            case "NEAR", "SLOP" -> SimpleQueryParser.NEAR_OPERATOR;
            default -> throw Refusal.badArgument("Unknown simple_query_string flag [" + name + "]");
          };
    }
    return flags;
  }

  @Override
  public Query toLucene(QueryContext context) {
    TextQueries.requireAnalyzer(context, options.analyzer());
    WordLimit.check(query);
    FieldWeights weights = FieldWeights.resolve(context, fields);
    if (weights.boosts().isEmpty()) {
      return new MatchNoDocsQuery("no fields");
    }
    SimpleStringParser parser = new SimpleStringParser(context, this, weights);
    parser.setDefaultOperator(options.operator());
    Query parsed = parser.parse(query);
    if (parsed instanceof BooleanQuery words && words.clauses().size() > 1) {
      return MinimumShouldMatch.apply(words, options.minimumShouldMatch());
    }
    return parsed == null ? new MatchNoDocsQuery("empty query string") : parsed;
  }
}
