package dev.holdfast.api.indices.downsample;

/// How many documents are read at once, so that a page holds about as many bytes however large they
/// are: as many as fit if they are like those before, and half where there was no memory for them.
final class PageSize {
  /// Bytes of the documents of a page, about, and of a write.
  static final long BYTES = 4 << 20;

  /// Documents of a page, and of a write, at most.
  static final int DOCUMENTS_MAX = 1000;

  /// Nobody knows yet how large they are.
  private static final int FIRST = 50;

  private int documents = FIRST;

  /// Documents to be asked for; at least 1.
  int documents() {
    return documents;
  }

  /// Notes what was read. Pages grow to the double at most: what comes may be larger.
  ///
  /// @param count at least 1
  void read(int count, long bytes) {
    long fitting = BYTES * count / Math.max(1, bytes);
    documents = (int) Math.clamp(fitting, 1, Math.min(DOCUMENTS_MAX, 2L * documents));
  }

  /// Notes that there was no memory for a page.
  ///
  /// @return whether a smaller one may be asked for
  boolean halve() {
    boolean isSmaller = documents > 1;
    documents = Math.max(1, documents / 2);
    return isSmaller;
  }
}
