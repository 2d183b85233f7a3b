package dev.holdfast.objectstore;

/// How large objects are cut for stores that take them in parts.
public final class Parts {
  /// Up to this an object goes in one request.
  public static final long WHOLE_BYTES_MAX = 64L << 20;

  public static final int PART_BYTES = 16 << 20;

  /// S3 takes no more, so parts of very large objects are larger.
  public static final int PARTS_MAX = 10_000;

  private Parts() {}

  public static boolean isCut(long length) {
    return length > WHOLE_BYTES_MAX;
  }

  /// Bytes of each part but the last.
  public static int partBytes(long length) {
    return (int) Math.max(PART_BYTES, (length + PARTS_MAX - 1) / PARTS_MAX);
  }

  /// Requests that one write costs: the parts, and one each to begin and to complete.
  public static long requests(long length) {
    int part = partBytes(length);
    return isCut(length) ? (length + part - 1) / part + 2 : 1;
  }
}
