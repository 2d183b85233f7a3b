package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the failure store of its data stream did with a document that failed.
///
/// @param index of the failure store; null unless the document is in it
/// @param result the write of the failure document, or why the document failed
public record FailureStored(Status status, @Nullable IndexMetadata index, WriteResult result) {
  /// As answers say it.
  public enum Status {
    /// It was for no data stream, or failed in a way that its sender is to know.
    NOT_APPLICABLE,
    NOT_ENABLED,
    USED,
    FAILED;

    /// Writes the member into the open object; what does not apply is not mentioned.
    void write(JsonGenerator out) throws IOException {
      if (this != NOT_APPLICABLE) {
        out.writeStringField("failure_store", label());
      }
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static FailureStored refused(Status status, FailedDocument document, Refusal why) {
    String id = document.id();
    return new FailureStored(
        status, null, new WriteResult.Refused(id == null ? WriteAnswer.AUTO_ID : id, why));
  }
}
