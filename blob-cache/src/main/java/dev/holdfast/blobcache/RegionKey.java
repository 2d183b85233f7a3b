package dev.holdfast.blobcache;

/// Names a region of a blob.
///
/// @param number of the region within the blob
record RegionKey(String blobKey, long number) {
  static RegionKey at(String blobKey, long position) {
    return new RegionKey(blobKey, position / Region.BYTES);
  }

  /// Where the region begins in the blob.
  long start() {
    return number * Region.BYTES;
  }
}
