package dev.holdfast.node.api.reindex;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.WriteOperation;
import dev.holdfast.node.api.document.WriteRequests;
import dev.holdfast.node.api.index.SingleIndex;
import dev.holdfast.node.api.ingest.Draft;
import dev.holdfast.node.api.ingest.Ingest;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Makes the write of a document that was read, after the pipelines of where it goes.
///
/// @param pipeline that the request names; null for the index's own
record IngestedWrite(WriteRequests writes, @Nullable String pipeline, boolean requiresAlias) {
  /// @return null when a pipeline dropped the document
  ByQuery.@Nullable Write of(Draft read, WriteOperation.Kind kind, int position)
      throws InterruptedException {
    Ingest.Route route = writes.ingest().route(read.index(), pipeline);
    Draft draft = read;
    Refusal refused = null;
    try {
      draft = route.isEmpty() ? read : writes.ingest().run(route, read);
    } catch (Refusal e) {
      refused = e;
    }
    if (draft.isDropped()) {
      return null;
    }
    IndexMetadata index = writes.index(draft.index(), true, requiresAlias);
    String id = draft.id();
    return new ByQuery.Write(
        index,
        new WriteOperation(
            position,
            kind,
            id == null ? writes.world().ids().documentId() : id,
            id == null,
            SingleIndex.routing(index, draft.index(), draft.routing()),
            draft.bytes(),
            draft.offset(),
            draft.length(),
            draft.condition(),
            0),
        refused);
  }
}
