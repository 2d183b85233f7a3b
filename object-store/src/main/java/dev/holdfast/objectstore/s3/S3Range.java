package dev.holdfast.objectstore.s3;

import dev.holdfast.objectstore.ContentRange;
import dev.holdfast.objectstore.ObjectStore.Suffix;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Bytes of an object that are asked for, and how they are taken out of an answer: servers and
/// caches that pass over `Range` answer with the whole object. Other bytes than those asked for, or
/// fewer although the object goes on, are no answer: they would be taken for damage.
///
/// @param offset of the first byte; negative for the last bytes of the object
/// @param length bytes, fewer where the object ends
record S3Range(long offset, int length) {
  static S3Range of(long offset, int length) {
    return new S3Range(offset, length);
  }

  static S3Range last(int length) {
    return new S3Range(-1, length);
  }

  /// As a request says it.
  String header() {
    return offset < 0 ? "bytes=-" + length : "bytes=" + offset + "-" + (offset + length - 1);
  }

  /// Reads what was asked for.
  ///
  /// @param contentRange `bytes 0-9/1234`; null in an answer with the whole object
  /// @param contentLength null when the answer does not say how long it is
  /// @return empty when no byte of the object lies in the range
  Optional<Suffix> read(InputStream in, @Nullable String contentRange, @Nullable Long contentLength)
      throws IOException {
    if (contentRange != null) {
      long whole = whole(contentRange);
      return Optional.of(new Suffix(S3Failures.readAll(in, count(whole)), whole));
    }
    long whole = length(contentLength);
    if (begin(whole) >= whole) {
      return Optional.empty();
    }
    in.skipNBytes(begin(whole));
    return Optional.of(new Suffix(S3Failures.readAll(in, count(whole)), whole));
  }

  /// The length of an object whose answer must say it.
  static long length(@Nullable Long contentLength) throws IOException {
    if (contentLength == null) {
      throw new IOException("the answer does not say how long the object is");
    }
    return contentLength;
  }

  private long whole(String contentRange) throws IOException {
    ContentRange said = ContentRange.parse(contentRange);
    if (said != null && said.isOf(begin(said.whole()), length)) {
      return said.whole();
    }
    throw new IOException(
        "the answer is of another range [asked=" + header() + ", said=" + contentRange + "]");
  }

  private long begin(long whole) {
    return offset < 0 ? Math.max(0, whole - length) : offset;
  }

  private long count(long whole) {
    return Math.min(length, whole - begin(whole));
  }
}
