package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The metadata of a [IngestDraft] as pipelines see and change it: `_index`, `_id`, `_version`, …
final class IngestMetadata {
  private IngestMetadata() {}

  static ObjectNode of(IngestDraft draft) {
    Condition condition = draft.condition();
    ObjectNode metadata = Json.object().put("_index", draft.index());
    if (draft.id() != null) {
      metadata.put("_id", draft.id());
    }
    metadata.put("_version", condition.version());
    metadata.put("_version_type", condition.versionType().name().toLowerCase(Locale.ROOT));
    if (draft.routing() != null) {
      metadata.put("_routing", draft.routing());
    }
    if (condition.ifSeqNo() != Condition.NONE.ifSeqNo()) {
      metadata.put("_if_seq_no", condition.ifSeqNo());
      metadata.put("_if_primary_term", condition.ifPrimaryTerm());
    }
    return metadata;
  }

  /// The draft that the document says now.
  static IngestDraft read(IngestDraft before, IngestDocument document, List<String> executed) {
    ObjectNode metadata = document.metadata();
    byte[] bytes = document.isDropped() ? new byte[0] : Json.bytes(document.source());
    return new IngestDraft(
        metadata.path("_index").asText(before.index()),
        text(metadata, "_id"),
        text(metadata, "_routing"),
        new Condition(
            number(metadata, "_if_seq_no", Condition.NONE.ifSeqNo()),
            number(metadata, "_if_primary_term", Condition.NONE.ifPrimaryTerm()),
            number(metadata, "_version", Condition.NONE.version()),
            versionType(text(metadata, "_version_type"))),
        bytes,
        0,
        bytes.length,
        document.isDropped(),
        executed);
  }

  private static @Nullable String text(ObjectNode metadata, String name) {
    JsonNode value = metadata.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (value.isContainerNode()) {
      throw Refusal.badArgument(
          name
              + " is wrong type, expected assignable to [java.lang.String], not ["
              + IngestDocument.typeName(value)
              + "]");
    }
    return value.asText();
  }

  private static long number(ObjectNode metadata, String name, long whenAbsent) {
    JsonNode value = metadata.get(name);
    if (value == null || value.isNull()) {
      return whenAbsent;
    }
    if (!value.isIntegralNumber()) {
      throw Refusal.badArgument(name + " must be a number, but was [" + value.asText() + "]");
    }
    return value.longValue();
  }

  /// @throws Refusal `illegal_argument_exception` for what is none
  static VersionType versionType(@Nullable String name) {
    return switch (name) {
      case null -> VersionType.INTERNAL;
      case "internal" -> VersionType.INTERNAL;
      case "external", "external_gt" -> VersionType.EXTERNAL;
      case "external_gte" -> VersionType.EXTERNAL_GTE;
      default -> throw Refusal.badArgument("No version type match [" + name + "]");
    };
  }
}
