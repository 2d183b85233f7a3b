package dev.holdfast.api.indices.settings;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.http.Answer;

/// Tells clients what of the mapping that they gave has no effect here, and why.
public final class MappingWarnings {
  private MappingWarnings() {}

  /// The answer, with a `Warning` header where the mapping asks for what something else says.
  ///
  /// @param mapping of an index or of a template, as it was given; missing for none
  public static Answer warn(Answer answer, JsonNode mapping) {
    return mapping.path("_source").has("mode") || mapping.at("/_doc/_source").has("mode")
        ? answer.warn(
            "[mode] of [_source] has no effect here: the index setting"
                + " [index.mapping.source.mode] says how documents are kept")
        : answer;
  }
}
