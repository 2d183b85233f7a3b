package dev.holdfast.api.ingest;

import dev.holdfast.indexing.operation.WriteOperation.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A document about to be written, before pipelines or after.
///
/// @param id null when the server is to make one
/// @param bytes bytes `[offset, offset + length)` are the document
/// @param executed pipelines that it went through
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record IngestDraft(
    String index,
    @Nullable String id,
    @Nullable String routing,
    Condition condition,
    byte[] bytes,
    int offset,
    int length,
    boolean isDropped,
    List<String> executed) {
  /// A document as it came.
  public static IngestDraft of(
      String index,
      @Nullable String id,
      @Nullable String routing,
      Condition condition,
      byte[] bytes,
      int offset,
      int length) {
    return new IngestDraft(index, id, routing, condition, bytes, offset, length, false, List.of());
  }

  public IngestDraft withoutId() {
    return new IngestDraft(
        index, null, routing, condition, bytes, offset, length, isDropped, executed);
  }

  public IngestDraft withBody(byte[] changed) {
    return new IngestDraft(
        index, id, routing, condition, changed, 0, changed.length, isDropped, executed);
  }
}
