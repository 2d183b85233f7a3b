package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.MatchAllClause;
import dev.holdfast.query.MatchNoneClause;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryParser;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.compound.BoolClause;
import dev.holdfast.query.clause.compound.BoostingClause;
import dev.holdfast.query.clause.compound.ConstantScoreClause;
import dev.holdfast.query.clause.compound.DisMaxClause;
import dev.holdfast.query.clause.fulltext.CombinedFieldsClause;
import dev.holdfast.query.clause.fulltext.MatchBoolPrefixClause;
import dev.holdfast.query.clause.fulltext.MatchClause;
import dev.holdfast.query.clause.fulltext.MatchPhraseClause;
import dev.holdfast.query.clause.fulltext.MatchPhrasePrefixClause;
import dev.holdfast.query.clause.fulltext.MultiMatchClause;
import dev.holdfast.query.clause.fulltext.QueryStringClause;
import dev.holdfast.query.clause.fulltext.SimpleQueryStringClause;
import dev.holdfast.query.clause.geo.GeoBoundingBoxClause;
import dev.holdfast.query.clause.geo.GeoDistanceClause;
import dev.holdfast.query.clause.geo.GeoPolygonClause;
import dev.holdfast.query.clause.geo.GeoShapeClause;
import dev.holdfast.query.clause.interval.IntervalsClause;
import dev.holdfast.query.clause.join.HasChildClause;
import dev.holdfast.query.clause.join.HasParentClause;
import dev.holdfast.query.clause.join.NestedClause;
import dev.holdfast.query.clause.join.ParentIdClause;
import dev.holdfast.query.clause.score.FunctionScoreClause;
import dev.holdfast.query.clause.span.SpanContainingClause;
import dev.holdfast.query.clause.span.SpanFieldMaskingClause;
import dev.holdfast.query.clause.span.SpanFirstClause;
import dev.holdfast.query.clause.span.SpanMultiClause;
import dev.holdfast.query.clause.span.SpanNearClause;
import dev.holdfast.query.clause.span.SpanNotClause;
import dev.holdfast.query.clause.span.SpanOrClause;
import dev.holdfast.query.clause.span.SpanTermClause;
import dev.holdfast.query.clause.span.SpanWithinClause;
import dev.holdfast.query.clause.specialized.DistanceFeatureClause;
import dev.holdfast.query.clause.specialized.MoreLikeThisClause;
import dev.holdfast.query.clause.specialized.PercolateClause;
import dev.holdfast.query.clause.specialized.PinnedClause;
import dev.holdfast.query.clause.specialized.RankFeatureClause;
import dev.holdfast.query.clause.specialized.WrapperClause;
import dev.holdfast.query.clause.term.ExistsClause;
import dev.holdfast.query.clause.term.FuzzyClause;
import dev.holdfast.query.clause.term.IdsClause;
import dev.holdfast.query.clause.term.PrefixClause;
import dev.holdfast.query.clause.term.RangeClause;
import dev.holdfast.query.clause.term.RegexpClause;
import dev.holdfast.query.clause.term.TermClause;
import dev.holdfast.query.clause.term.TermsClause;
import dev.holdfast.query.clause.term.TermsSetClause;
import dev.holdfast.query.clause.term.WildcardClause;
import dev.holdfast.query.clause.vector.KnnClause;
import dev.holdfast.query.clause.vector.SparseVectorClause;
import dev.holdfast.query.script.ScriptClause;
import dev.holdfast.query.script.ScriptScoreClause;
import dev.holdfast.world.Registry;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// Every query the search body knows: the only class that knows all kinds. What reads queries is
/// handed [#reader].
public final class Queries {
  /// Queries by name: one line a kind. What a kind needs besides its body is handed in here.
  private static final Registry<QueryParser> ALL =
      Registry.<QueryParser>of("query")
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
          .with("query_string", leaf(QueryStringClause::parse))
          .with("simple_query_string", leaf(SimpleQueryStringClause::parse))
          .with("combined_fields", leaf(CombinedFieldsClause::parse))
          .with("intervals", leaf(IntervalsClause::parse))
          .with("terms_set", leaf(TermsSetClause::parse))
          .with("distance_feature", leaf(DistanceFeatureClause::parse))
          .with("rank_feature", leaf(RankFeatureClause::parse))
          .with("sparse_vector", leaf(SparseVectorClause::parse))
          .with("geo_distance", leaf(GeoDistanceClause::parse))
          .with("geo_bounding_box", leaf(GeoBoundingBoxClause::parse))
          .with("geo_polygon", leaf(GeoPolygonClause::parse))
          .with("geo_shape", leaf(GeoShapeClause::parse))
          .with("more_like_this", leaf(MoreLikeThisClause::parse))
          .with("span_term", leaf(SpanTermClause::parse))
          .with("exists", leaf(ExistsClause::parse))
          .with("ids", leaf(IdsClause::parse))
          .with("prefix", leaf(PrefixClause::parse))
          .with("wildcard", leaf(WildcardClause::parse))
          .with("regexp", leaf(RegexpClause::parse))
          .with("fuzzy", leaf(FuzzyClause::parse))
          .with("bool", BoolClause::parse)
          .with("constant_score", ConstantScoreClause::parse)
          .with("dis_max", DisMaxClause::parse)
          .with("boosting", BoostingClause::parse)
          .with("function_score", FunctionScoreClause::parse)
          .with("span_near", SpanNearClause::parse)
          .with("span_or", SpanOrClause::parse)
          .with("span_not", SpanNotClause::parse)
          .with("span_first", SpanFirstClause::parse)
          .with("span_containing", SpanContainingClause::parse)
          .with("span_within", SpanWithinClause::parse)
          .with("span_multi", SpanMultiClause::parse)
          .with("span_field_masking", SpanFieldMaskingClause::parse)
          .with("field_masking_span", SpanFieldMaskingClause::parse)
          .with("nested", (body, inner) -> NestedClause.parse(body, inner, SearchParser::parse))
          .with(
              "has_child", (body, inner) -> HasChildClause.parse(body, inner, SearchParser::parse))
          .with(
              "has_parent",
              (body, inner) -> HasParentClause.parse(body, inner, SearchParser::parse))
          .with("percolate", PercolateClause::parse)
          .with("parent_id", leaf(ParentIdClause::parse))
          .with("knn", KnnClause::parse)
          .with("wrapper", WrapperClause::parse)
          .with("script", leaf(ScriptClause::parse))
          .with("script_score", ScriptScoreClause::parse)
          .with("pinned", PinnedClause::parse);

  private static final QueryReader READER = new QueryReader(ALL);

  private Queries() {}

  /// Reads the queries of a request, the outermost first.
  public static QueryReader reader() {
    return READER;
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
    return parse(query, READER);
  }

  /// The same by a reader of the outermost queries.
  static QueryClause parse(@Nullable JsonNode query, QueryReader reader) {
    return query == null ? new MatchAllClause() : reader.read(query);
  }

  /// Sets how many clauses a query may have after rewriting, for the whole process: Lucene keeps
  /// this number in a static.
  public static void limitClauses(int clausesMax) {
    IndexSearcher.setMaxClauseCount(clausesMax);
  }

  private static QueryParser leaf(LeafParser parser) {
    return (body, inner) -> parser.parse(body);
  }
}
