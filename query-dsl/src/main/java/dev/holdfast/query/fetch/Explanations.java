package dev.holdfast.query.fetch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import org.apache.lucene.search.Explanation;

/// Explanations of scores as they are shown.
public final class Explanations {
  private Explanations() {}

  public static ObjectNode json(Explanation explanation) {
    ObjectNode node = Json.object();
    node.put("value", explanation.getValue().floatValue());
    node.put("description", explanation.getDescription());
    var details = node.putArray("details");
    for (Explanation detail : explanation.getDetails()) {
      details.add(json(detail));
    }
    return node;
  }
}
