package dev.holdfast.api.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestBody;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.write.UpdateShape;
import dev.holdfast.query.source.SourceFilter;
import java.io.IOException;
import java.io.UncheckedIOException;

/// The updates of a `_bulk`: what they show of their documents, and whether they are updates, which
/// is asked before anything is written.
record BulkUpdates(ApiRequest request) {
  /// Looks at the body of an action, if that is an update.
  ///
  /// @throws dev.holdfast.world.Refusal 400 when it is none
  void check(BulkBody.Action action, byte[] bytes, int offset, int length) throws IOException {
    if (action.kind() != Kind.UPDATE) {
      return;
    }
    WriteOperation update =
        new WriteOperation(
            0,
            Kind.UPDATE,
            String.valueOf(action.id()),
            false,
            action.routing(),
            bytes,
            offset,
            length,
            BulkWrite.condition(action),
            action.retryOnConflict());
    if (UpdateShape.check(update)) {
      SourceFilter _ = shown(action, bytes, offset, length);
    }
  }

  /// Whether an update shows anything of its document.
  boolean shows(BulkBody.Action action, byte[] bytes, int offset, int length) {
    try {
      return shown(action, bytes, offset, length).isShown();
    } catch (IOException e) {
      throw new UncheckedIOException("an update can't be read", e);
    }
  }

  /// What an update shows of its document: as its body says, its action line, or the URL.
  SourceFilter shown(BulkBody.Action action, byte[] bytes, int offset, int length)
      throws IOException {
    if (action.kind() != Kind.UPDATE) {
      return SourceFilter.NONE;
    }
    JsonNode own = action.source();
    SourceFilter byLine = own == null ? null : SourceFilter.parse(own);
    return SourceParameters.readFromUpdate(request, new RequestBody(bytes, offset, length), byLine);
  }
}
