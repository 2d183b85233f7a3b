package dev.holdfast.query.aggregation.hits;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.TopDocsCollector;
import org.jspecify.annotations.Nullable;

/// `top_hits` at work on one shard: a collector of Lucene's for each bucket.
final class TopHitsCollecting implements Collecting {
  private final TopHitsAggregation request;
  private final BucketHits hits;
  private final Map<Long, TopDocsCollector<?>> collectors = new HashMap<>();
  private final Map<Long, Float> maxScores = new HashMap<>();
  private final boolean isSortedWithScores;

  TopHitsCollecting(TopHitsAggregation request, BucketHits hits) {
    this.request = request;
    this.hits = hits;
    this.isSortedWithScores =
        request.source().tracksScores() && !request.source().sorts().isEmpty();
  }

  @Override
  public boolean needsScores() {
    return request.source().sorts().isEmpty()
        || request.source().tracksScores()
        || request.source().sorts().stream().anyMatch(sort -> sort.field().equals("_score"));
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) {
    return new Documents(segment);
  }

  @Override
  public Partial result(long bucket) throws IOException {
    TopDocsCollector<?> collector = collectors.get(bucket);
    if (collector == null) {
      return request.empty();
    }
    List<ShardHit> best = hits.hits(collector);
    List<Hit> fetched = hits.fetch(best);
    List<TopHitsPartial.Shown> shown = new ArrayList<>(best.size());
    float maxScore = isSortedWithScores ? maxScores.getOrDefault(bucket, Float.NaN) : Float.NaN;
    for (int i = 0; i < best.size(); i++) {
      float score = best.get(i).score();
      if (!isSortedWithScores) {
        maxScore = Float.isNaN(maxScore) ? score : Math.max(maxScore, score);
      }
      shown.add(new TopHitsPartial.Shown(score, best.get(i).sortValues(), json(fetched.get(i))));
    }
    return new TopHitsPartial(request, collector.getTotalHits(), maxScore, shown);
  }

  private static byte[] json(Hit hit) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      hit.write(out);
    }
    return bytes.toByteArray();
  }

  private final class Documents implements Leaf {
    private final LeafReaderContext segment;
    private final Map<Long, LeafCollector> leaves = new HashMap<>();
    private @Nullable Scorable scorer;

    Documents(LeafReaderContext segment) {
      this.segment = segment;
    }

    @Override
    public void setScorer(Scorable now) throws IOException {
      scorer = now;
      for (LeafCollector leaf : leaves.values()) {
        leaf.setScorer(now);
      }
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      LeafCollector leaf = leaf(bucket);
      for (int i = from; i < to; i++) {
        leaf.collect(docs[i]);
        scored(bucket);
      }
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        leaf(buckets[i]).collect(docs[i]);
        scored(buckets[i]);
      }
    }

    private void scored(long bucket) throws IOException {
      if (isSortedWithScores && scorer != null) {
        maxScores.merge(bucket, scorer.score(), Math::max);
      }
    }

    private LeafCollector leaf(long bucket) throws IOException {
      LeafCollector known = leaves.get(bucket);
      if (known != null) {
        return known;
      }
      TopDocsCollector<?> collector = collectors.get(bucket);
      if (collector == null) {
        collector = hits.collector();
        collectors.put(bucket, collector);
      }
      LeafCollector leaf = collector.getLeafCollector(segment);
      leaf.setScorer(scorer == null ? new Unscored() : scorer);
      leaves.put(bucket, leaf);
      return leaf;
    }
  }

  /// Stands in where a deferring parent feeds documents after the scorer has gone.
  private static final class Unscored extends Scorable {
    @Override
    public float score() {
      return 0;
    }
  }
}
