package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.ShardQueries;
import dev.holdfast.query.fetch.Explanations;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.text.JsonMemory;
import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;

/// How a query scores one document: `{"id", "query"}` gives `{"found", "matched", "explanation"}`.
public final class ExplainInspection {
  public static final String NAME = "explain";

  private ExplainInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    Query document =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term(MetadataFields.ID, body.path("id").asText())), Occur.FILTER)
            .add(NestedDocuments.roots(), Occur.FILTER)
            .build();
    ScoreDoc[] found = context.searcher().search(document, 1).scoreDocs;
    ObjectNode answer = Json.object();
    answer.put("found", found.length > 0);
    if (found.length > 0) {
      Query query = ShardQueries.made(Queries.parse(body.get("query")), context);
      Explanation explanation = context.searcher().explain(query, found[0].doc);
      answer.put("matched", explanation.isMatch());
      ObjectNode shown = Explanations.json(explanation);
      WorkMemory.add(JsonMemory.of(shown));
      answer.set("explanation", shown);
    }
    return answer;
  }
}
