package dev.holdfast.query.clause.fulltext;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents with the words of a text in any of several fields.
///
/// @param fields names and patterns with `^boost`; empty for the index's default fields
/// @param tieBreaker share of the weaker fields' scores that is added; null for the type's own
public record MultiMatchClause(
    JsonNode value,
    List<String> fields,
    Type type,
    @Nullable Double tieBreaker,
    MatchOptions options)
    implements QueryClause {

  /// How fields are combined.
  enum Type {
    BEST_FIELDS(MatchKind.BOOLEAN, 0),
    MOST_FIELDS(MatchKind.BOOLEAN, 1),
    CROSS_FIELDS(MatchKind.BOOLEAN, 0),
    PHRASE(MatchKind.PHRASE, 0),
    PHRASE_PREFIX(MatchKind.PHRASE_PREFIX, 0),
    BOOL_PREFIX(MatchKind.BOOLEAN_PREFIX, 1);

    private final MatchKind kind;
    private final double tieBreaker;

    Type(MatchKind kind, double tieBreaker) {
      this.kind = kind;
      this.tieBreaker = tieBreaker;
    }

    MatchKind kind() {
      return kind;
    }

    double tieBreaker() {
      return tieBreaker;
    }

    static Type parse(String name) {
      for (Type type : values()) {
        if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
          return type;
        }
      }
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse [multi_match] query type [" + name + "]. unknown type.");
    }
  }

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    JsonNode value = json.take("query");
    if (value == null || value.isNull()) {
      throw QueryReader.parsing("No text specified for multi_match query");
    }
    if (value.isContainerNode()) {
      throw QueryReader.parsing("[multi_match] unknown token after [query]: " + value.getNodeType())
          .at(MemberLocation.ofValue(json.node(), "query"));
    }
    Type type = Type.parse(json.string("type", "best_fields"));
    boolean isLenient = json.bool("lenient", false);
    MatchOptions options = MatchOptions.parse(json, type.kind);
    if (type == Type.CROSS_FIELDS && options.fuzziness() != null) {
      throw QueryReader.parsing("Fuzziness not allowed for type [cross_fields]");
    }
    if (type == Type.BOOL_PREFIX && json.has("slop")) {
      throw QueryReader.parsing("[slop] not allowed for type [bool_prefix]");
    }
    if (json.integer("slop", 0) < 0) {
      throw Refusal.badArgument("No negative slop allowed.");
    }
    // Options of the other types are accepted and mean nothing, as in Elasticsearch.
    for (String name :
        List.of(
            "operator",
            "minimum_should_match",
            "max_expansions",
            "prefix_length",
            "fuzzy_transpositions",
            "zero_terms_query",
            "fuzzy_rewrite",
            "cutoff_frequency",
            "auto_generate_synonyms_phrase_query")) {
      json.take(name);
    }
    Double tie = json.has("tie_breaker") ? (Double) json.doubleValue("tie_breaker", 0) : null;
    return of.finish(
        new MultiMatchClause(
            value,
            FieldWeights.named(json.strings("fields")),
            type,
            tie,
            isLenient ? options.lenient() : options));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldWeights weights = FieldWeights.resolve(context, fields);
    MatchOptions used = weights.isLenient() ? options.lenient() : options;
    float tie = (float) (tieBreaker == null ? type.tieBreaker : tieBreaker);
    List<Query> queries = new ArrayList<>();
    if (type == Type.CROSS_FIELDS) {
      queries.addAll(CrossFields.queries(context, weights.boosts(), value, used, tie));
    } else {
      for (Map.Entry<String, Float> field : weights.boosts().entrySet()) {
        Query query = one(context, field.getKey(), used);
        queries.add(field.getValue() == 1 ? query : new BoostQuery(query, field.getValue()));
      }
    }
    return switch (queries.size()) {
      case 0 -> new MatchNoDocsQuery("no fields");
      case 1 -> queries.getFirst();
      default -> new DisjunctionMaxQuery(queries, tie);
    };
  }

  private Query one(QueryContext context, String field, MatchOptions used) {
    FieldType known = context.type(field);
    if (type.kind == MatchKind.PHRASE_PREFIX
        && used.isLenient()
        && known != null
        && known.searchAnalyzer() == null) {
      return new MatchNoDocsQuery("not a text field [" + field + "]");
    }
    return TextQueries.match(context, field, value, type.kind, used);
  }
}
