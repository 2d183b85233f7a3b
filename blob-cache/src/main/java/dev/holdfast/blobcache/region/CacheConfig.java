package dev.holdfast.blobcache.region;

import dev.holdfast.world.ByteSize;
import java.time.Duration;

/// How the blob cache fetches and forgets.
///
/// @param randomFetch what one miss of a random read fetches
/// @param sequentialFetch what one miss of a sequential read fetches, and the most of any fetch
/// @param mergeFetch what one miss of a merge fetches, into a buffer of its own
/// @param gap bytes that a fetch reads along rather than be split in two
/// @param hot heap for pinned hot regions of blobs
/// @param writeThrough bytes of a blob that are kept when this node uploads it
/// @param prefetchesMax fetches ahead of the reader at once; more are not started
/// @param warmsMax blobs that are warmed at once, and fetches for them; more blobs are not warmed
/// @param hedgeShare requests that may be sent twice because the first is slow, as a share of all;
///   0 for none
/// @param regionsMax regions at once: each is one memory mapping, of which Linux grants 65530
/// @param evictedGrace how long an evicted region stays mapped for those who read it just now
/// @param decay a region that nobody touched for twice this long loses half its frequency
/// @param mapEvery how often the cache's map is written, for a restart after a crash
public record CacheConfig(
    ByteSize randomFetch,
    ByteSize sequentialFetch,
    ByteSize mergeFetch,
    ByteSize gap,
    ByteSize hot,
    ByteSize writeThrough,
    int prefetchesMax,
    int warmsMax,
    double hedgeShare,
    int regionsMax,
    Duration evictedGrace,
    Duration decay,
    Duration mapEvery) {
  public static CacheConfig defaults() {
    return new CacheConfig(
        ByteSize.kib(128),
        ByteSize.mib(4),
        ByteSize.mib(1),
        ByteSize.mib(1),
        ByteSize.mib(64),
        ByteSize.mib(32),
        32,
        4,
        0.05,
        32_000,
        Duration.ofSeconds(20),
        Duration.ofSeconds(60),
        Duration.ofSeconds(60));
  }
}
