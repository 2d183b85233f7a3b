package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Registry;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// Every query the search body knows.
public final class Queries {
  /// Queries by name: one line a kind.
  static final Registry<Parser> ALL =
      Registry.<Parser>of("query")
          .with("match_all", leaf(MatchAllClause::parse))
          .with("match_none", leaf(MatchNoneClause::parse))
          .with("match", leaf(MatchClause::parse))
          .with("match_phrase", leaf(MatchPhraseClause::parse))
          .with("match_phrase_prefix", leaf(MatchPhrasePrefixClause::parse))
          .with("match_bool_prefix", leaf(MatchBoolPrefixClause::parse))
          .with("multi_match", leaf(MultiMatchClause::parse))
          .with("term", leaf(TermClause::parse))
          .with("terms", leaf(TermsClause::parse))
          .with("range", leaf(RangeClause::parse))
          .with("exists", leaf(ExistsClause::parse))
          .with("ids", leaf(IdsClause::parse))
          .with("prefix", leaf(PrefixClause::parse))
          .with("wildcard", leaf(WildcardClause::parse))
          .with("regexp", leaf(RegexpClause::parse))
          .with("fuzzy", leaf(FuzzyClause::parse))
          .with("bool", BoolClause::parse)
          .with("constant_score", ConstantScoreClause::parse)
          .with("dis_max", DisMaxClause::parse)
          .with("boosting", BoostingClause::parse);

  private Queries() {}

  /// Reads one kind of query.
  @FunctionalInterface
  interface Parser {
    /// @param body the kind's own object
    /// @param inner reads the queries inside this one
    QueryClause parse(ClauseBody body, QueryReader inner);
  }

  /// Reads a kind of query that has no queries inside.
  @FunctionalInterface
  interface LeafParser {
    QueryClause parse(ClauseBody body);
  }

  /// Reads the value of `query`; absent means all documents.
  ///
  /// @throws dev.holdfast.world.Refusal `parsing_exception` and kin for anything unknown or
  ///   malformed
  public static QueryClause parse(@Nullable JsonNode query) {
    return query == null ? new MatchAllClause() : new QueryReader(1).read(query);
  }

  /// Sets how many clauses a query may have after rewriting, for the whole process: Lucene keeps
  /// this number in a static.
  public static void limitClauses(int clausesMax) {
    IndexSearcher.setMaxClauseCount(clausesMax);
  }

  private static Parser leaf(LeafParser parser) {
    return (body, inner) -> parser.parse(body);
  }
}
