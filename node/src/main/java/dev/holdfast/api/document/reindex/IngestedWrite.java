package dev.holdfast.api.document.reindex;

import dev.holdfast.api.document.FailedDocument;
import dev.holdfast.api.document.NamedDocument;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestTrail;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.Refusal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes the write of a document that was read, after the pipelines of where it goes.
///
/// @param pipeline that the request names; null for the index's own
record IngestedWrite(WriteRequests writes, @Nullable String pipeline, boolean requiresAlias) {
  /// @return null when a pipeline dropped the document
  ByQuery.@Nullable Write of(IngestDraft read, WriteOperation.Kind kind, int position)
      throws InterruptedException {
    IngestPipelines.Route route = writes.ingest().route(read.index(), pipeline);
    IngestDraft draft = read;
    FailedDocument refused = null;
    IngestTrail trail = new IngestTrail();
    try {
      draft =
          route.isEmpty() || kind == WriteOperation.Kind.DELETE
              ? read
              : writes.ingest().run(route, read, trail, writes.ingest().signal(() -> false));
    } catch (Refusal e) {
      refused = FailedDocument.ofPipeline(position, read, e, trail.place());
    }
    if (draft.isDropped()) {
      return null;
    }
    String id = draft.id();
    if (id != null) { // a script or a pipeline may have made it
      WriteRequests.requireValidId(id);
    }
    IndexMetadata index =
        writes.index(draft.index(), true, requiresAlias, kind, draft.condition(), draft.routing());
    // The id of a document of another index is none here.
    IngestDraft unnamed = TimeSeries.is(index.settings()) ? draft.withoutId() : draft;
    NamedDocument at;
    try {
      at =
          writes.named(
              draft.index(),
              index,
              kind,
              kind == WriteOperation.Kind.DELETE ? draft : unnamed,
              Map.of());
    } catch (Refusal e) {
      FailedDocument lost = FailedDocument.ofSeries(position, index, kind, unnamed, e);
      if (lost == null) {
        throw e;
      }
      at = new NamedDocument(index, String.valueOf(read.id()), false);
      refused = refused == null ? lost : refused;
    }
    return new ByQuery.Write(
        at.index(),
        draft.index(),
        new WriteOperation(
            position,
            kind,
            at.id(),
            at.isAutoId(),
            SingleIndex.routing(index, draft.index(), draft.routing()),
            draft.bytes(),
            draft.offset(),
            draft.length(),
            draft.condition(),
            0),
        refused);
  }
}
