package dev.holdfast.query.hits;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.collect.HitCounter;
import dev.holdfast.query.collect.SegmentLoop;
import dev.holdfast.query.collect.Weights;
import dev.holdfast.query.request.Collapse;
import dev.holdfast.query.request.Rescore;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.query.sort.SortKeys;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The best hits of one shard, and how many documents match.
public record TopHits(
    List<ShardHit> hits,
    long total,
    boolean isTotalExact,
    float maxScore,
    boolean isTerminatedEarly) {
  /// A hit, from its place in the queue to the answer of its shard.
  private static final long HIT_BYTES = 96;

  /// Of each key that it is sorted by: a place in the comparator, the value, places in two lists.
  private static final long KEY_BYTES = 40;

  /// Less is not asked for: most searches want a few hits.
  private static final long SMALL_BYTES = 32 << 10;

  /// Of a search that asks for neither hits nor a total.
  public static final TopHits NONE = new TopHits(List.of(), -1, false, Float.NaN, false);

  public ShardResult result(Results aggregations, SegmentLoop loop) {
    return new ShardResult(
        hits,
        total,
        isTotalExact && !loop.isTimedOut(),
        maxScore,
        aggregations,
        loop.isTimedOut(),
        isTerminatedEarly,
        Map.of(),
        null);
  }

  /// @param resumed the last hit of the page before; null for the first page
  /// @param aggregations collected in the same pass; null for none
  public static TopHits of(
      SearchSource source,
      QueryContext context,
      SegmentLoop loop,
      Query query,
      @Nullable ShardHit resumed,
      @Nullable CountedAggregations aggregations)
      throws IOException {
    return source.hitsOfShard() == 0
        ? count(source, context, loop, query, aggregations)
        : top(source, context, loop, query, resumed, aggregations);
  }

  /// What hits are sorted and grouped by must be there, also where none is asked for.
  ///
  /// @throws Refusal where it is not
  public static void requireKeys(SearchSource source, QueryContext context) throws IOException {
    var _ = SortKeys.bind(source.sorts(), context);
    Collapse collapse = source.extras().collapse();
    if (collapse != null) {
      var _ = collapse.type(context);
    }
  }

  private static TopHits count(
      SearchSource source,
      QueryContext context,
      SegmentLoop loop,
      Query query,
      @Nullable CountedAggregations aggregations)
      throws IOException {
    boolean hasLimits = source.minScore() != null || source.terminateAfter() > 0;
    boolean needsScores =
        source.minScore() != null
            || (aggregations != null && aggregations.scoreMode().needsScores());
    if (source.totalHitsUpTo() == -1 && aggregations == null) {
      return NONE;
    }
    Weight weight = Weights.of(context.searcher(), query, needsScores, ScoreMode.COMPLETE);
    if (aggregations == null && !hasLimits) {
      long cheap = Weights.cheapCount(context.searcher(), weight);
      if (cheap >= 0) {
        return new TopHits(List.of(), cheap, true, Float.NaN, false);
      }
    }
    HitCounter counter = new HitCounter(source.totalHitsUpTo());
    Collector inner = aggregations == null ? counter : aggregations;
    DocumentLimit limit = new DocumentLimit(source, inner);
    loop.run(weight, limit);
    long count = aggregations == null ? counter.count() : aggregations.count();
    boolean isExact = aggregations != null || !counter.isLowerBound();
    return new TopHits(List.of(), count, isExact, Float.NaN, limit.isReached());
  }

  private static TopHits top(
      SearchSource source,
      QueryContext context,
      SegmentLoop loop,
      Query query,
      @Nullable ShardHit resumed,
      @Nullable CountedAggregations aggregations)
      throws IOException {
    IndexSearcher searcher = context.searcher();
    List<SortKey> keys = SortKeys.bind(source.sorts(), context);
    if (source.extras().collapse() != null) {
      return grouped(source, source.extras().collapse(), context, loop, query, keys, aggregations);
    }
    List<Rescore> rescores = source.extras().rescores();
    int hitsMax = Math.clamp(searcher.getIndexReader().maxDoc(), 1, hitsWanted(source, context));
    reserve(context, hitsMax, keys);
    boolean hasLimits = source.minScore() != null || source.terminateAfter() > 0;
    long cheap =
        aggregations == null && !hasLimits && source.totalHitsUpTo() != -1
            ? Weights.cheapCount(searcher, Weights.of(searcher, query, false, ScoreMode.COMPLETE))
            : -1;
    if (aggregations == null && !hasLimits && resumed == null && rescores.isEmpty()) {
      TopHits early = early(source, context, loop, query, keys, hitsMax, cheap);
      if (early != null) {
        return early;
      }
    }
    // Whatever else is collected in this pass needs all documents: no pruning then.
    int countUpTo =
        aggregations != null || hasLimits
            ? Integer.MAX_VALUE
            : cheap >= 0 || source.totalHitsUpTo() == -1 ? 1 : source.totalHitsUpTo();
    TopDocsCollector<?> top = HitCollectors.of(source, context, keys, resumed, hitsMax, countUpTo);
    Collector inner =
        aggregations == null ? top : new HitsAndAggregationsCollector(top, aggregations);
    DocumentLimit limit = new DocumentLimit(source, inner);
    ScoreMode mode = limit.scoreMode();
    Weight weight =
        mode.needsScores()
            ? searcher.createWeight(searcher.rewrite(query), mode, 1)
            : searcher.createWeight(searcher.rewrite(new ConstantScoreQuery(query)), mode, 1);
    loop.run(weight, limit);
    TopDocs docs = top.topDocs();
    for (Rescore rescore : rescores) {
      docs = rescore.apply(context, docs);
    }
    if (docs.scoreDocs.length > source.hitsOfShard()) {
      docs = new TopDocs(docs.totalHits, Arrays.copyOf(docs.scoreDocs, source.hitsOfShard()));
    }
    if (source.tracksScores() && !keys.isEmpty()) {
      TopFieldCollector.populateScores(docs.scoreDocs, searcher, query);
    }
    TotalHits counted = docs.totalHits;
    boolean isExact = cheap >= 0 || counted.relation() == TotalHits.Relation.EQUAL_TO;
    return new TopHits(
        hits(docs, keys),
        source.totalHitsUpTo() == -1 ? -1 : cheap >= 0 ? cheap : counted.value(),
        isExact,
        maxScore(source, context, loop, query, docs, keys),
        limit.isReached());
  }

  /// Hits to be collected: rescoring may look at more than are shown.
  private static int hitsWanted(SearchSource source, QueryContext context) {
    int wanted = source.hitsOfShard();
    int windowMax = context.mapping().limits().rescoreWindowMax();
    for (Rescore rescore : source.extras().rescores()) {
      if (rescore.window() > windowMax) {
        throw Refusal.badArgument(
            "Rescore window ["
                + rescore.window()
                + "] is too large. It must be less than ["
                + windowMax
                + "]. This prevents allocating massive heaps for storing the results to be"
                + " rescored. This limit can be set by changing the [index.max_rescore_window]"
                + " index level setting.");
      }
      wanted = Math.max(wanted, rescore.window());
    }
    return wanted;
  }

  /// Asks for the memory of hits before their queue is made.
  private static void reserve(QueryContext context, int hits, List<SortKey> keys) {
    long bytes = hits * (HIT_BYTES + KEY_BYTES * keys.size());
    if (bytes > SMALL_BYTES) {
      context.memory().add(bytes);
    }
  }

  private static TopHits grouped(
      SearchSource source,
      Collapse collapse,
      QueryContext context,
      SegmentLoop loop,
      Query query,
      List<SortKey> keys,
      @Nullable CountedAggregations aggregations)
      throws IOException {
    SortField[] sorts =
        keys.isEmpty()
            ? new SortField[] {SortField.FIELD_SCORE}
            : keys.stream().map(SortKey::lucene).toArray(SortField[]::new);
    reserve(context, hitsWanted(source, context), keys);
    CollapsedTopHits groups =
        new CollapsedTopHits(
            context.path(collapse.field()),
            collapse.type(context),
            sorts,
            hitsWanted(source, context),
            source.tracksScores(),
            HitCollectors.after(source, context, keys));
    DocumentLimit limit = new DocumentLimit(source, groups);
    loop.run(
        Weights.of(context.searcher(), query, limit.scoreMode().needsScores(), ScoreMode.COMPLETE),
        limit);
    if (aggregations != null) {
      DocumentLimit counted = new DocumentLimit(source, aggregations);
      boolean needsScores = counted.scoreMode().needsScores();
      loop.run(Weights.of(context.searcher(), query, needsScores, ScoreMode.COMPLETE), counted);
    }
    List<ShardHit> hits =
        Rescore.groups(
            source.extras().rescores(), context, groups.hits(keys), source.hitsOfShard());
    return new TopHits(
        hits,
        source.totalHitsUpTo() == -1 ? -1 : groups.count(),
        true,
        maxScore(source, groups, hits, keys),
        limit.isReached());
  }

  /// Of hits by score that of the first one, rescored; else that of all documents, shown or not.
  private static float maxScore(
      SearchSource source, CollapsedTopHits groups, List<ShardHit> hits, List<SortKey> keys) {
    if (keys.isEmpty()) {
      return hits.isEmpty() ? Float.NaN : hits.getFirst().score();
    }
    return source.tracksScores() ? groups.maxScore() : Float.NaN;
  }

  /// The best hits as points tell them; null where the shortcut does not lead to all of them.
  ///
  /// @param cheap how many documents match; -1 when it takes counting
  private static @Nullable TopHits early(
      SearchSource source,
      QueryContext context,
      SegmentLoop loop,
      Query query,
      List<SortKey> keys,
      int hitsMax,
      long cheap)
      throws IOException {
    TopHitsByPoints byPoints = TopHitsByPoints.of(source, context, keys, query);
    Query narrowed =
        byPoints == null
            ? TopHitsByPoints.likely(source, context, keys, query, hitsMax)
            : byPoints.narrowed(hitsMax);
    if (narrowed == null) {
      return null;
    }
    IndexSearcher searcher = context.searcher();
    TopDocsCollector<?> top = HitCollectors.of(source, context, keys, null, hitsMax, 1);
    loop.run(Weights.of(searcher, narrowed, false, ScoreMode.COMPLETE), top);
    TopDocs docs = top.topDocs();
    // Fewer, when one document has several of the best values, or the guess was wrong.
    if (docs.scoreDocs.length < hitsMax && !loop.isTimedOut()) {
      return null;
    }
    List<ShardHit> hits = hits(docs, keys);
    if (cheap >= 0 || source.totalHitsUpTo() == -1) {
      return new TopHits(hits, cheap, cheap >= 0, Float.NaN, false);
    }
    long atLeast = byPoints == null ? 0 : byPoints.countMin();
    if (atLeast > source.totalHitsUpTo()) {
      return new TopHits(hits, atLeast, false, Float.NaN, false);
    }
    HitCounter counter = new HitCounter(source.totalHitsUpTo());
    loop.run(Weights.of(searcher, query, false, ScoreMode.COMPLETE), counter);
    return new TopHits(hits, counter.count(), !counter.isLowerBound(), Float.NaN, false);
  }

  public static List<ShardHit> hits(TopDocs docs, List<SortKey> keys) {
    List<ShardHit> hits = new ArrayList<>(docs.scoreDocs.length);
    long terms = 0;
    for (ScoreDoc doc : docs.scoreDocs) {
      if (!(doc instanceof FieldDoc sorted) || keys.isEmpty()) {
        hits.add(new ShardHit(doc.doc, doc.score, List.of()));
        continue;
      }
      @Nullable Object[] values = new @Nullable Object[keys.size()];
      float score = doc.score;
      for (int i = 0; i < values.length; i++) {
        values[i] = keys.get(i).mergeable(sorted.fields[i]);
        terms += values[i] instanceof BytesRef term ? term.length : 0;
        if (keys.get(i) instanceof SortKey.Score && values[i] instanceof Float sortedScore) {
          score = sortedScore;
        }
      }
      hits.add(new ShardHit(doc.doc, score, Arrays.asList(values)));
      if (terms > SMALL_BYTES) {
        WorkMemory.add(terms);
        terms = 0;
      }
    }
    return hits;
  }

  private static float maxScore(
      SearchSource source,
      QueryContext context,
      SegmentLoop loop,
      Query query,
      TopDocs docs,
      List<SortKey> keys)
      throws IOException {
    if (keys.isEmpty()) {
      return docs.scoreDocs.length == 0 ? Float.NaN : docs.scoreDocs[0].score;
    }
    if (!source.tracksScores()) {
      return Float.NaN;
    }
    var best = new TopScoreDocCollectorManager(1, 1).newCollector();
    Query rewritten = context.searcher().rewrite(query);
    loop.run(context.searcher().createWeight(rewritten, ScoreMode.TOP_SCORES, 1), best);
    ScoreDoc[] found = best.topDocs().scoreDocs;
    Float min = source.minScore();
    boolean isNone = found.length == 0 || (min != null && found[0].score < min);
    return isNone ? Float.NaN : found[0].score;
  }
}
