package dev.holdfast.node.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.WriteResult;
import java.io.IOException;
import java.util.Locale;

/// Renders the outcome of one write: the same members in `_bulk` items and in answers for single
/// documents.
final class WriteAnswer {
  private WriteAnswer() {}

  /// Writes the members into the open object.
  static void write(
      JsonGenerator out, IndexMetadata index, WriteResult.Done done, boolean isForcedRefresh)
      throws IOException {
    out.writeStringField("_index", index.id().name());
    out.writeStringField("_id", done.id());
    out.writeNumberField("_version", done.version());
    out.writeStringField("result", done.effect().name().toLowerCase(Locale.ROOT));
    if (isForcedRefresh) {
      out.writeBooleanField("forced_refresh", true);
    }
    boolean isNoop = done.effect() == WriteResult.Effect.NOOP;
    out.writeObjectFieldStart("_shards");
    out.writeNumberField("total", isNoop ? 0 : WriteRequests.copies(index));
    out.writeNumberField("successful", isNoop ? 0 : 1);
    out.writeNumberField("failed", 0);
    out.writeEndObject();
    out.writeNumberField("_seq_no", done.seqNo());
    out.writeNumberField("_primary_term", done.primaryTerm());
  }

  static int status(WriteResult.Done done) {
    return switch (done.effect()) {
      case CREATED -> 201;
      case UPDATED, DELETED, NOOP -> 200;
      case NOT_FOUND -> 404;
    };
  }
}
