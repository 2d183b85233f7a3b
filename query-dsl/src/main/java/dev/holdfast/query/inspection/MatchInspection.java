package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.ShardQueries;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import java.io.IOException;
import org.apache.lucene.search.Query;

/// Whether a query matches anything: `{"query"}` gives `{"matches"}`.
public final class MatchInspection {
  public static final String NAME = "matches";

  private MatchInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    Query query = context.overRoots(ShardQueries.made(Queries.parse(body.get("query")), context));
    boolean matches = context.searcher().search(query, 1).scoreDocs.length > 0;
    return Json.object().put("matches", matches);
  }
}
