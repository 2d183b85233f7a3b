package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import java.io.IOException;
import org.apache.lucene.search.Query;

/// Which fields have a value in any document, nested ones too: `{"fields"}` gives `{"present"}`.
public final class PresentFieldsInspection {
  public static final String NAME = "present";

  private PresentFieldsInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    ObjectNode answer = Json.object();
    ArrayNode present = answer.putArray("present");
    for (JsonNode field : body.path("fields")) {
      ObjectNode exists = Json.object();
      exists.putObject("exists").set("field", field);
      Query query = Queries.parse(exists).toLucene(context);
      if (context.searcher().search(query, 1).scoreDocs.length > 0) {
        present.add(field);
      }
    }
    return answer;
  }
}
