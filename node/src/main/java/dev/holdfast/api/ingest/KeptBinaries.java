package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;

/// Whether a pipeline keeps files in documents without saying so: an `attachment` processor without
/// `remove_binary`.
final class KeptBinaries {
  /// Elasticsearch's, as clients know it.
  static final String WARNING =
      "The default [remove_binary] value of [false] is deprecated and will be set to [true] in a"
          + " future release. Set [remove_binary] explicitly to ensure no change in behavior.";

  private KeptBinaries() {}

  /// @param definition a pipeline, or a processor that has others
  static boolean areUnsaid(JsonNode definition) {
    return areUnsaidIn(definition.path("processors")) || areUnsaidIn(definition.path("on_failure"));
  }

  private static boolean areUnsaidIn(JsonNode processors) {
    for (JsonNode processor : processors) {
      if (isUnsaid(processor)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnsaid(JsonNode processor) {
    for (var one : processor.properties()) {
      boolean isAttachment = one.getKey().equals("attachment");
      if ((isAttachment && !one.getValue().has("remove_binary"))
          || areUnsaid(one.getValue())
          || isUnsaid(one.getValue().path("processor"))) {
        return true;
      }
    }
    return false;
  }
}
