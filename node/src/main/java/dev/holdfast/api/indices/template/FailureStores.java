package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.http.Answer;
import org.jspecify.annotations.Nullable;

/// What is said to who turns on a failure store: nothing goes there yet.
public final class FailureStores {
  private FailureStores() {}

  /// The answer, with a `Warning` when the options of a data stream turn its failure store on.
  ///
  /// @param options `{"failure_store": {"enabled"}}`; null for none
  public static Answer warn(Answer answer, @Nullable JsonNode options) {
    boolean isOn =
        options != null && options.path("failure_store").path("enabled").asBoolean(false);
    return isOn
        ? answer.warn(
            "[failure_store] has no effect here: documents that a data stream cannot take are"
                + " refused")
        : answer;
  }
}
