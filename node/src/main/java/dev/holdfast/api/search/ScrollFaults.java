package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// What a search that is read page by page cannot ask for.
public final class ScrollFaults {
  private ScrollFaults() {}

  /// @param body of the search, whose members are known to be of their kinds
  /// @return sentences, to which more may be added; empty for none
  public static List<String> of(ObjectNode body) {
    List<String> faults = new ArrayList<>();
    if (!body.path("track_total_hits").asText("true").equals("true")) {
      faults.add("disabling [track_total_hits] is not allowed in a scroll context");
    }
    if (body.path("from").asInt() > 0) {
      faults.add("using [from] is not allowed in a scroll context");
    }
    if (body.has("size") && body.path("size").asInt() == 0) {
      faults.add("[size] cannot be [0] in a scroll context");
    }
    if (body.has("rescore")) {
      faults.add("using [rescore] is not allowed in a scroll context");
    }
    if (body.path("retriever").has("rescorer")) {
      faults.add("cannot specify [rescorer] and [scroll]");
    }
    if (body.has("collapse")) {
      faults.add("cannot use `collapse` in a scroll context");
    }
    if (body.has("search_after")) {
      faults.add("[search_after] cannot be used in a scroll context");
    }
    return faults;
  }

  /// @throws Refusal `action_request_validation_exception` that names all faults
  public static void requireNone(List<String> faults) {
    if (faults.isEmpty()) {
      return;
    }
    StringBuilder all = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < faults.size(); i++) {
      all.append(i + 1).append(": ").append(faults.get(i)).append(';');
    }
    throw new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, all.toString());
  }
}
