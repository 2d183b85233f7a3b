package dev.holdfast.indexing.merge;

import java.io.IOException;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.TieredMergePolicy;

/// Merges that wait while a shard is filled and nobody searches it: its many small segments, which
/// come of frequent uploads, are merged with more at once and so less often. As soon as it is
/// searched, or left alone, it is merged as others are.
public final class LazyMerges extends FilterMergePolicy {
  private static final int SEGMENTS_PER_TIER = 32;
  private static final int SEGMENTS_PER_TIER_FILLED = 128;

  private final MergePolicy whileFilled = tiers(SEGMENTS_PER_TIER_FILLED);
  private volatile boolean isFilled;

  public LazyMerges() {
    super(tiers(SEGMENTS_PER_TIER));
  }

  private static MergePolicy tiers(int segments) {
    TieredMergePolicy tiers = new TieredMergePolicy();
    tiers.setSegmentsPerTier(segments);
    tiers.setMaxMergeAtOnce(segments);
    tiers.setNoCFSRatio(0);
    return tiers;
  }

  /// Says whether the shard is being filled while nobody searches it.
  ///
  /// @return whether that has just ended: what waited is to be merged
  public boolean endsFilling(boolean isFilledNow) {
    boolean ends = isFilled && !isFilledNow;
    isFilled = isFilledNow;
    return ends;
  }

  @Override
  public MergeSpecification findMerges(
      MergeTrigger trigger, SegmentInfos segments, MergeContext context) throws IOException {
    return isFilled
        ? whileFilled.findMerges(trigger, segments, context)
        : super.findMerges(trigger, segments, context);
  }
}
