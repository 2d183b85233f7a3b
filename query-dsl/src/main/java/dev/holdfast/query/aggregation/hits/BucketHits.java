package dev.holdfast.query.aggregation.hits;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.HitCollectors;
import dev.holdfast.query.hits.TopHits;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.query.sort.SortKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocsCollector;

/// The best hits of each bucket of an aggregation, on one shard: found and fetched as those of the
/// search itself are.
public final class BucketHits {
  private final SearchSource source;
  private final QueryContext context;
  private final List<SortKey> keys;

  /// The keys, and where scores are wanted beside them, the score: behind a key that no two
  /// documents share, so that it orders nothing.
  private final List<SortKey> collected;

  /// @param source how many, in which order, and what is shown of them
  public BucketHits(SearchSource source, QueryContext context) throws IOException {
    this.source = source;
    this.context = context;
    this.keys = SortKeys.bind(source.sorts(), context);
    List<SortKey> all = new ArrayList<>(keys);
    if (source.tracksScores() && !keys.isEmpty()) {
      all.add(new SortKey.Doc(SortField.FIELD_DOC));
      all.add(new SortKey.Score(SortField.FIELD_SCORE));
    }
    this.collected = List.copyOf(all);
  }

  /// Collects one bucket.
  public TopDocsCollector<?> collector() throws IOException {
    int hitsMax = Math.clamp(context.searcher().getIndexReader().maxDoc(), 1, source.hitsOfShard());
    return HitCollectors.of(source, context, collected, null, hitsMax, Integer.MAX_VALUE);
  }

  /// What a collector found, best first.
  public List<ShardHit> hits(TopDocsCollector<?> collector) throws IOException {
    List<ShardHit> hits = TopHits.hits(collector.topDocs(), collected);
    if (collected.size() == keys.size()) {
      return hits;
    }
    return hits.stream()
        .map(hit -> new ShardHit(hit.doc(), hit.score(), hit.sortValues().subList(0, keys.size())))
        .toList();
  }

  public List<Hit> fetch(List<ShardHit> hits) throws IOException {
    return FetchPhase.anywhere(source, context, hits);
  }

  /// Best first, over all shards.
  public static Comparator<ShardHit> order(SearchSource source) {
    return source.sorts().isEmpty()
        ? (a, b) -> Float.compare(b.score(), a.score())
        : (a, b) -> SearchMerge.compare(source.sorts(), a, b);
  }
}
