package dev.holdfast.query.phase;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.ShardQueries;
import dev.holdfast.query.aggregation.kernel.AggregationCollector;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.collect.DocumentsAfterQuery;
import dev.holdfast.query.collect.SegmentLoop;
import dev.holdfast.query.collect.SharedTermStates;
import dev.holdfast.query.collect.TermPrefetch;
import dev.holdfast.query.collect.Weights;
import dev.holdfast.query.fetch.CompletionHits;
import dev.holdfast.query.hits.CountedAggregations;
import dev.holdfast.query.hits.DocumentLimit;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.hits.TopHits;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.script.QueryScores;
import dev.holdfast.query.suggest.SuggestRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/// Finds the best hits of one shard, counts the documents that match, and collects the
/// aggregations.
public final class QueryPhase {
  private final SearchSource source;
  private final QueryContext context;
  private final ShardScope scope;
  private final SegmentLoop loop;

  private QueryPhase(
      SearchSource source, QueryContext context, ShardScope scope, BooleanSupplier isTimeOver) {
    this.source = source;
    this.context = context;
    this.scope = scope;
    this.loop = new SegmentLoop(context, isTimeOver);
  }

  /// @param isTimeOver asked now and then: true ends the search with what it has so far
  /// @throws Refusal when the request does not fit the index, or was cancelled
  public static ShardResult run(
      SearchSource source, QueryContext context, BooleanSupplier isTimeOver) throws IOException {
    return run(source, context, ShardScope.ALL, isTimeOver);
  }

  /// The same of a part of the shard.
  public static ShardResult run(
      SearchSource source, QueryContext context, ShardScope scope, BooleanSupplier isTimeOver)
      throws IOException {
    checkWindow(source, context);
    try {
      if (source.extras().gathersStatistics()) {
        return TopHits.NONE
            .result(Results.NONE, new SegmentLoop(context, isTimeOver))
            .with(Map.of(), StatisticsPhase.of(source, context).toJson());
      }
      boolean isCounted = scope.total() >= 0;
      SearchSource asked = isCounted ? source.uncounted() : source;
      ShardResult result =
          source.extras().isProfiled()
              ? Profile.run(asked, context, scope, isTimeOver)
              : plain(asked, context, scope, isTimeOver);
      SuggestRequest suggest = source.extras().suggest();
      if (suggest != null && !result.isTimedOut()) {
        result = suggested(suggest, result, source, context);
      }
      return isCounted ? result.counted(scope.total()) : result;
    } catch (IllegalStateException e) {
      throw expansion(e);
    } catch (IndexSearcher.TooManyNestedClauses e) {
      throw new Refusal(ErrorType.TOO_MANY_NESTED_CLAUSES, String.valueOf(e.getMessage()), e);
    } catch (TooComplexToDeterminizeException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw new Refusal(ErrorType.TOO_MANY_CLAUSES, String.valueOf(e.getMessage()), e);
    }
  }

  /// Patterns inside of intervals that stand for too many terms are an illegal state to Lucene.
  private static RuntimeException expansion(IllegalStateException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.startsWith("Automaton [") && reason.contains("too many terms")
        ? new Refusal(ErrorType.ILLEGAL_ARGUMENT, reason, e)
        : e;
  }

  private static ShardResult suggested(
      SuggestRequest suggest, ShardResult found, SearchSource source, QueryContext context)
      throws IOException {
    try {
      return found.with(
          suggest.of(context, docs -> CompletionHits.of(source, context, docs)), found.profile());
    } catch (StopSignal.TimeOver e) {
      return found.timedOut();
    }
  }

  /// The phase without suggestions and profile.
  static ShardResult plain(
      SearchSource source, QueryContext context, ShardScope scope, BooleanSupplier isTimeOver)
      throws IOException {
    try {
      return new QueryPhase(source, context, scope, isTimeOver).run();
    } catch (StopSignal.TimeOver e) {
      // Before any document was scored: the terms of the query took all the time.
      return TopHits.NONE
          .result(source.aggregations().empty(), new SegmentLoop(context, isTimeOver))
          .timedOut();
    }
  }

  private ShardResult run() throws IOException {
    Query made = ShardQueries.made(source.query(), context);
    Query query = context.overRoots(scope.narrow(made, context));
    QueryClause postFilter = source.postFilter();
    Query filter = postFilter == null ? null : ShardQueries.made(postFilter, context);
    Query hitsQuery =
        filter == null
            ? query
            : new BooleanQuery.Builder().add(query, Occur.MUST).add(filter, Occur.FILTER).build();
    if (source.hitsOfShard() == 0) {
      TopHits.requireKeys(source, context);
    }
    if (source.hitsOfShard() == 0
        && source.totalHitsUpTo() == -1
        && source.aggregations().isEmpty()) {
      return TopHits.NONE.result(Results.NONE, loop);
    }
    QueryScores.give(context, query);
    ShardHit resumed = scope.after();
    if (resumed != null && source.isByScore() && isConstant(hitsQuery)) {
      hitsQuery =
          new BooleanQuery.Builder()
              .add(hitsQuery, Occur.MUST)
              .add(new DocumentsAfterQuery(resumed.doc()), Occur.FILTER)
              .build();
    }
    TermPrefetch.lookUp(context.searcher(), hitsQuery);
    hitsQuery = SharedTermStates.of(context.searcher(), hitsQuery);
    if (source.aggregations().isEmpty()) {
      return TopHits.of(source, context, loop, hitsQuery, resumed, null).result(Results.NONE, loop);
    }
    AggregationCollector collector = source.aggregations().bind(context);
    CountedAggregations aggregations = new CountedAggregations(collector);
    TopHits hits;
    if (mayShareOnePass(query, filter)) {
      hits = TopHits.of(source, context, loop, hitsQuery, resumed, aggregations);
    } else {
      hits = TopHits.of(source, context, loop, hitsQuery, resumed, null);
      collect(query, aggregations);
    }
    return hits.result(collector.results(), loop);
  }

  /// Whether all hits have one score: then they come in the order of the index.
  private static boolean isConstant(Query query) {
    return query instanceof MatchAllDocsQuery || query instanceof ConstantScoreQuery;
  }

  /// Hits and aggregations read the same documents; but where every document matches, aggregations
  /// alone run over whole ranges and hits alone end early.
  private boolean mayShareOnePass(Query query, @org.jspecify.annotations.Nullable Query filter) {
    boolean hasLimits = source.minScore() != null || source.terminateAfter() > 0;
    return filter == null
        && (hasLimits || source.hitsOfShard() == 0 || !(query instanceof MatchAllDocsQuery));
  }

  private void collect(Query query, CountedAggregations aggregations) throws IOException {
    boolean needsScores = aggregations.scoreMode().needsScores() || source.minScore() != null;
    DocumentLimit limit = new DocumentLimit(source, aggregations);
    loop.run(Weights.of(context.searcher(), query, needsScores, ScoreMode.COMPLETE), limit);
  }

  private static void checkWindow(SearchSource source, QueryContext context) {
    int windowMax = context.mapping().limits().resultWindowMax();
    long window = (long) source.from() + source.size();
    if (window > windowMax) {
      throw Refusal.badArgument(
          "Result window is too large, from + size must be less than or equal to: ["
              + windowMax
              + "] but was ["
              + window
              + "]. See the scroll api for a more efficient way to request large data sets. This"
              + " limit can be set by changing the [index.max_result_window] index level"
              + " setting.");
    }
  }
}
