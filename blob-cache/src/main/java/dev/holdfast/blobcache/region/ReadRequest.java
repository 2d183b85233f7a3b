package dev.holdfast.blobcache.region;

/// What a reader needs that moved off its window.
///
/// @param position in the blob; the byte there must be in the answer
/// @param wantedBytes how many it will surely read from there
/// @param fetchBytes how many to fetch when they are not cached
/// @param isForward whether to fetch from `position` on, rather than around it
/// @param end of the reader's file, in the blob: nothing beyond is fetched ahead
/// @param admission whether what is fetched may take room in the cache
/// @param isCopied whether the answer must be safe from eviction
public record ReadRequest(
    long position,
    long wantedBytes,
    long fetchBytes,
    boolean isForward,
    long end,
    Admission admission,
    boolean isCopied) {

  /// The same for bytes that lie elsewhere.
  public ReadRequest from(long at, long wanted) {
    return new ReadRequest(at, wanted, fetchBytes, isForward, end, admission, isCopied);
  }

  /// What a fetch may throw out to make room.
  public enum Admission {
    /// The coldest region.
    FULL,
    /// Regions that nobody comes back to: what was read once, as this will be (a scan).
    COLD_ONLY,
    /// Nothing: it takes no room.
    NONE
  }
}
