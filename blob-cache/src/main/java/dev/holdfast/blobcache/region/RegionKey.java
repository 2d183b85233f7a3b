package dev.holdfast.blobcache.region;

/// Names a region of a blob.
///
/// @param number of the region within the blob
public record RegionKey(String blobKey, long number) {
  public static RegionKey at(String blobKey, long position) {
    return new RegionKey(blobKey, position / Region.BYTES);
  }

  /// Where the region begins in the blob.
  public long start() {
    return number * Region.BYTES;
  }
}
