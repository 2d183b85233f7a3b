package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.ShardQueries;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import org.apache.lucene.search.Query;

/// What a query means: `{"query", "rewrite"}` gives `{"valid", "explanation"}` or `{"valid",
/// "error"}`.
public final class ValidateInspection {
  public static final String NAME = "validate";

  private ValidateInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    ObjectNode answer = Json.object();
    try {
      Query query = ShardQueries.made(Queries.parse(body.get("query")), context);
      Query shown =
          body.path("rewrite").asBoolean(false) ? context.searcher().rewrite(query) : query;
      String text = shown.toString();
      WorkMemory.add(text.length());
      answer.put("valid", true);
      answer.put("explanation", text);
    } catch (Refusal e) {
      if (e.type().status() >= 429) {
        throw e; // that says nothing of the query
      }
      answer.put("valid", false);
      answer.put("error", "[" + context.index() + "] " + e.type().type() + ": " + e.reason());
    }
    return answer;
  }
}
