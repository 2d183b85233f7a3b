package dev.holdfast.objectstore.azure;

import com.azure.storage.blob.models.BlobRange;
import dev.holdfast.objectstore.ContentRange;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// How the bytes that were asked for are taken out of an answer: caches that pass over ranges
/// answer with the whole object. Other bytes than those asked for, or fewer although the object
/// goes on, are no answer: they would be taken for damage.
final class AzureRange {
  private static final int WHOLE = 200;

  private AzureRange() {}

  /// @param asked with a count of at least 1
  /// @param said which bytes the answer holds; null when it does not say
  /// @return null when no byte of the object lies in the range
  static byte @Nullable [] cut(BlobRange asked, int status, @Nullable String said, byte[] bytes)
      throws IOException {
    long offset = asked.getOffset();
    long count = asked.getCount();
    if (status == WHOLE && said == null) {
      int end = (int) Math.min(bytes.length, offset + count);
      return offset < bytes.length ? Arrays.copyOfRange(bytes, (int) offset, end) : null;
    }
    ContentRange range = said == null ? null : ContentRange.parse(said);
    boolean isAsked =
        range == null
            ? bytes.length <= count
            : range.isOf(offset, count) && bytes.length == range.last() - range.first() + 1;
    if (!isAsked) {
      throw new IOException(
          "the answer is of another range [asked="
              + offset
              + "+"
              + count
              + ", said="
              + said
              + ", bytes="
              + bytes.length
              + "]");
    }
    return bytes;
  }
}
