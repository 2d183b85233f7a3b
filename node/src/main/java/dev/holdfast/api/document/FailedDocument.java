package dev.holdfast.api.document;

import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.ingest.FailurePlace;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// A document that a pipeline, an index of time series or a shard refused.
///
/// @param position its place in the request
/// @param name what the request writes to
/// @param id null when it was to get one
/// @param bytes bytes `[offset, offset + length)` are the document: as it came when a pipeline
///   refused it, as the pipelines left it when a shard did
/// @param place the step that refused it; null for none
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record FailedDocument(
    int position,
    String name,
    @Nullable String id,
    @Nullable String routing,
    byte[] bytes,
    int offset,
    int length,
    Refusal why,
    @Nullable FailurePlace place) {
  /// The same at another place of a request.
  public FailedDocument at(int other) {
    return new FailedDocument(other, name, id, routing, bytes, offset, length, why, place);
  }

  /// One that a pipeline refused.
  public static FailedDocument ofPipeline(
      int position, IngestDraft draft, Refusal why, @Nullable FailurePlace place) {
    return new FailedDocument(
        position,
        draft.index(),
        draft.id(),
        draft.routing(),
        draft.bytes(),
        draft.offset(),
        draft.length(),
        why,
        place);
  }

  /// One that has no place in its index of time series: its time is another's, or its dimensions
  /// are not there.
  ///
  /// @param index that its name leads to
  /// @return null where the request is what is wrong, not the document
  public static @Nullable FailedDocument ofSeries(
      int position, IndexMetadata index, WriteOperation.Kind kind, IngestDraft draft, Refusal why) {
    boolean isNew = kind == WriteOperation.Kind.CREATE || kind == WriteOperation.Kind.INDEX;
    return isNew && TimeSeries.is(index.settings()) && draft.id() == null && draft.routing() == null
        ? ofPipeline(position, draft, why, null)
        : null;
  }

  /// One that a shard refused.
  public static FailedDocument ofShard(
      int position, String name, WriteOperation operation, Refusal why) {
    return new FailedDocument(
        position,
        name,
        operation.id(),
        operation.routing(),
        operation.bytes(),
        operation.offset(),
        operation.length(),
        why,
        null);
  }
}
