package dev.holdfast.query.clause.fulltext;

import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.query.clause.term.Patterns;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.MultiTermQuery;
import org.jspecify.annotations.Nullable;

/// The options that the queries of the match family share; each kind uses its part.
///
/// @param analyzer a named analyser instead of the field's, null for the field's
/// @param operator how the tokens' clauses are joined
/// @param minimumShouldMatch null for none
/// @param fuzziness null for exact terms
/// @param fuzzyRewrite null for Lucene's own
/// @param isLenient a value that can't be one of the field matches nothing instead of failing
/// @param isZeroTermsAll a text without tokens matches everything instead of nothing
/// @param slop positions a phrase's tokens may be moved
/// @param expansionsMax terms that the prefix at the end of a phrase may stand for
record MatchOptions(
    @Nullable String analyzer,
    Occur operator,
    @Nullable String minimumShouldMatch,
    @Nullable Fuzziness fuzziness,
    MultiTermQuery.@Nullable RewriteMethod fuzzyRewrite,
    boolean isLenient,
    boolean isZeroTermsAll,
    boolean withSynonymPhrases,
    int slop,
    int expansionsMax) {
  private static final int EXPANSIONS_DEFAULT = 50;

  /// Exact terms, all optional.
  static final MatchOptions PLAIN =
      new MatchOptions(
          null, Occur.SHOULD, null, null, null, false, false, true, 0, EXPANSIONS_DEFAULT);

  static MatchOptions parse(JsonObject json, MatchKind kind) {
    boolean isFuzzy = json.has("fuzziness");
    String rewrite = kind.isPhrase() ? null : json.string("fuzzy_rewrite");
    MatchOptions options =
        new MatchOptions(
            json.string("analyzer"),
            kind.isPhrase() ? Occur.SHOULD : operator(json.string("operator")),
            kind.isPhrase() ? null : json.string("minimum_should_match"),
            kind.isPhrase() ? null : fuzziness(json, isFuzzy),
            rewrite == null ? null : Patterns.rewrite(rewrite),
            !kind.isPrefix() && kind != MatchKind.PHRASE && json.bool("lenient", false),
            kind != MatchKind.BOOLEAN_PREFIX && zeroTerms(json.string("zero_terms_query")),
            kind != MatchKind.BOOLEAN || json.bool("auto_generate_synonyms_phrase_query", true),
            kind.isPhrase() ? json.integer("slop", 0) : 0,
            kind == MatchKind.PHRASE_PREFIX ? json.integer("max_expansions", 50) : 50);
    MinimumShouldMatch.check(options.minimumShouldMatch);
    if (options.slop < 0) {
      throw Refusal.badArgument("No negative slop allowed.");
    }
    if (options.expansionsMax <= 0) {
      throw Refusal.badArgument("No negative or zero maxExpansions allowed.");
    }
    return options;
  }

  private static @Nullable Fuzziness fuzziness(JsonObject json, boolean isFuzzy) {
    Fuzziness fuzziness = Fuzziness.parse(json, "AUTO");
    return isFuzzy ? fuzziness : null;
  }

  static Occur operator(@Nullable String name) {
    return switch (name == null ? "or" : name.toLowerCase(Locale.ROOT)) {
      case "or" -> Occur.SHOULD;
      case "and" -> Occur.MUST;
      default ->
          throw Refusal.badArgument(
              "No enum constant org.elasticsearch.index.query.Operator."
                  + String.valueOf(name).toUpperCase(Locale.ROOT));
    };
  }

  static boolean zeroTerms(@Nullable String name) {
    return switch (name == null ? "none" : name.toLowerCase(Locale.ROOT)) {
      case "none" -> false;
      case "all" -> true;
      default ->
          throw new Refusal(ErrorType.PARSING, "Unsupported zero_terms_query value [" + name + "]");
    };
  }

  /// These options for a phrase.
  MatchOptions phrase(@Nullable String withAnalyzer, int withSlop, boolean lenient) {
    return new MatchOptions(
        withAnalyzer,
        operator,
        null,
        null,
        null,
        lenient,
        isZeroTermsAll,
        withSynonymPhrases,
        withSlop,
        expansionsMax);
  }

  /// These options for words of one field in a query string, whose minimum counts the clauses of
  /// the string and not those of a field.
  MatchOptions ofOneField(boolean lenient) {
    return new MatchOptions(
        analyzer,
        operator,
        null,
        fuzziness,
        fuzzyRewrite,
        lenient,
        isZeroTermsAll,
        withSynonymPhrases,
        slop,
        expansionsMax);
  }

  MatchOptions lenient() {
    return new MatchOptions(
        analyzer,
        operator,
        minimumShouldMatch,
        fuzziness,
        fuzzyRewrite,
        true,
        isZeroTermsAll,
        withSynonymPhrases,
        slop,
        expansionsMax);
  }
}
