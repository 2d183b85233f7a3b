package dev.holdfast.query.hits;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.jspecify.annotations.Nullable;

/// Lucene's collectors of the best hits of a page: from the first one on, behind what
/// `search_after` says, or behind the last hit of the page before.
public final class HitCollectors {
  private HitCollectors() {}

  /// @param resumed the last hit of the page before; null when there is none
  /// @param countUpTo matches beyond which counting, and with it the look at every one, may stop
  public static TopDocsCollector<?> of(
      SearchSource source,
      QueryContext context,
      List<SortKey> keys,
      @Nullable ShardHit resumed,
      int hitsMax,
      int countUpTo) {
    if (keys.isEmpty()) {
      ScoreDoc after =
          source.searchAfter() == null
              ? resumed == null ? null : new ScoreDoc(resumed.doc(), resumed.score())
              : new ScoreDoc(Integer.MAX_VALUE, (float) source.searchAfter().getFirst().asDouble());
      return new TopScoreDocCollectorManager(hitsMax, after, countUpTo).newCollector();
    }
    Sort sort = new Sort(keys.stream().map(SortKey::lucene).toArray(SortField[]::new));
    FieldDoc after = resumed != null ? position(resumed, keys) : after(source, context, keys);
    return new TopFieldCollectorManager(sort, hitsMax, after, countUpTo).newCollector();
  }

  /// The position before the first hit wanted, ties with which are not wanted either; null when all
  /// are wanted.
  @SuppressWarnings("NullAway") // Lucene takes null for a missing term
  static @Nullable FieldDoc after(SearchSource source, QueryContext context, List<SortKey> keys) {
    if (source.searchAfter() == null) {
      return null;
    }
    Object[] values = new Object[keys.size()];
    for (int i = 0; i < values.length; i++) {
      String numberType = keys.get(i).numberType();
      if (source.searchAfter().get(i).isNull() && numberType != null) {
        throw Refusal.badArgument(
            "[search_after] value at position "
                + i
                + " cannot be null for sort field ["
                + source.sorts().get(i).field()
                + "] of type ["
                + numberType
                + "].");
      }
      try {
        values[i] = keys.get(i).after(source.searchAfter().get(i), context.nowMillis());
      } catch (IllegalArgumentException e) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT,
            "Failed to parse search_after value for field [" + source.sorts().get(i).field() + "].",
            e);
      }
    }
    return new FieldDoc(Integer.MAX_VALUE, Float.NaN, values);
  }

  private static FieldDoc position(ShardHit last, List<SortKey> keys) {
    @Nullable Object[] values = new @Nullable Object[keys.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = keys.get(i).resumed(last.sortValues().get(i));
    }
    return new FieldDoc(last.doc(), last.score(), values);
  }
}
