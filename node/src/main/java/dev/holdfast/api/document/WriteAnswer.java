package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.source.SourceFilter;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Renders the outcome of one write: the same members in `_bulk` items and in answers for single
/// documents.
final class WriteAnswer {
  /// Shown where a document has no id yet: it went no further than its pipeline.
  static final String AUTO_ID = "auto-generated";

  private WriteAnswer() {}

  /// What a document that a pipeline dropped comes to.
  static WriteResult.Done dropped(@Nullable String id) {
    return new WriteResult.Done(
        id == null ? AUTO_ID : id, WriteResult.Effect.NOOP, -2, 0, -3, null);
  }

  /// Writes the members into the open object.
  static void write(
      JsonGenerator out, IndexMetadata index, WriteResult.Done done, boolean isForcedRefresh)
      throws IOException {
    write(out, index.id().name(), index, done, isForcedRefresh);
  }

  /// Writes the members of an item of a bulk into the open object: there an update that changed
  /// nothing counts copies like any other.
  static void writeItem(
      JsonGenerator out,
      String name,
      @Nullable IndexMetadata index,
      WriteResult.Done done,
      boolean isForcedRefresh)
      throws IOException {
    write(out, name, index, done, isForcedRefresh, index == null);
  }

  /// Writes the members into the open object.
  ///
  /// @param name as the request has it, for a document that was dropped
  /// @param index null when the document was dropped before its index was known
  static void write(
      JsonGenerator out,
      String name,
      @Nullable IndexMetadata index,
      WriteResult.Done done,
      boolean isForcedRefresh)
      throws IOException {
    boolean isNoop = done.effect() == WriteResult.Effect.NOOP;
    write(out, name, index, done, isForcedRefresh, isNoop);
  }

  private static void write(
      JsonGenerator out,
      String name,
      @Nullable IndexMetadata index,
      WriteResult.Done done,
      boolean isForcedRefresh,
      boolean isNowhere)
      throws IOException {
    out.writeStringField("_index", index == null ? name : index.id().name());
    out.writeStringField("_id", done.id());
    out.writeNumberField("_version", done.version());
    out.writeStringField("result", done.effect().name().toLowerCase(Locale.ROOT));
    if (isForcedRefresh && !isNowhere) {
      out.writeBooleanField("forced_refresh", true);
    }
    out.writeObjectFieldStart("_shards");
    out.writeNumberField("total", isNowhere || index == null ? 0 : WriteRequests.copies(index));
    out.writeNumberField("successful", isNowhere ? 0 : 1);
    out.writeNumberField("failed", 0);
    out.writeEndObject();
    if (done.seqNo() >= 0) {
      out.writeNumberField("_seq_no", done.seqNo());
      out.writeNumberField("_primary_term", done.primaryTerm());
    }
  }

  /// Writes the document that an update made, when it is asked for.
  static void writeGet(JsonGenerator out, WriteResult.Done done, SourceFilter source)
      throws IOException {
    byte[] after = done.source();
    if (source.isShown() && after != null) {
      out.writeObjectFieldStart("get");
      out.writeNumberField("_seq_no", done.seqNo());
      out.writeNumberField("_primary_term", done.primaryTerm());
      out.writeBooleanField("found", true);
      SourceParameters.write(out, source, after);
      out.writeEndObject();
    }
  }

  static int status(WriteResult.Done done) {
    return switch (done.effect()) {
      case CREATED -> 201;
      case UPDATED, DELETED, NOOP -> 200;
      case NOT_FOUND -> 404;
    };
  }
}
