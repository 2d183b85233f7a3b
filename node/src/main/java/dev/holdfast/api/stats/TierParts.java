package dev.holdfast.api.stats;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.sweep.OrphanSweep;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.scrub.Scrub;
import dev.holdfast.search.SearchTier;
import dev.holdfast.translog.NodeLog;
import org.jspecify.annotations.Nullable;

/// The parts of the tiers that this process has, to be looked at.
///
/// @param indexing null without the role
/// @param log null without the role `index`
/// @param search null without the role
/// @param cache null when it has neither tier
/// @param sweep runs while this node leads
/// @param storeClock whether anything may be deleted by its age
/// @param scrub runs while this node leads
public record TierParts(
    @Nullable IndexingTier indexing,
    @Nullable NodeLog log,
    @Nullable SearchTier search,
    @Nullable BlobCache cache,
    OrphanSweep sweep,
    StoreClock storeClock,
    Scrub scrub) {}
