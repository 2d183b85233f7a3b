package dev.holdfast.query.clause.span;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanQuery;

/// Where several spans are near each other.
///
/// @param clauses spans, and gaps between them where `inOrder`
public record SpanNearClause(List<QueryClause> clauses, int slop, boolean inOrder)
    implements SpanClause {
  /// A number of words that may be anything, only between other spans.
  record Gap(String field, int width) implements SpanClause {
    @Override
    public SpanQuery toSpans(QueryContext context) {
      throw QueryReader.parsing("[span_gap] is only possible inside [span_near]");
    }
  }

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonNode given = of.take("clauses");
    if (given == null || !given.isArray() || given.isEmpty()) {
      throw QueryReader.parsing("[span_near] must include [clauses]");
    }
    List<QueryClause> clauses = new ArrayList<>();
    for (JsonNode one : given) {
      if (one.has("span_gap")) {
        JsonObject gap = JsonObject.of("span_gap", one.get("span_gap"));
        String field = gap.rest().getFirst();
        clauses.add(new Gap(field, gap.integer(field, 0)));
        continue;
      }
      clauses.add(SpanClauses.checked(of.kind(), "clauses", inner.read(one)));
    }
    return of.finish(
        new SpanNearClause(
            List.copyOf(clauses),
            SpanClauses.words(of.json(), "slop", 0),
            of.json().bool("in_order", true)));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    if (clauses.size() == 1) {
      return SpanClauses.spans(clauses.getFirst(), context);
    }
    String field = SpanClauses.spans(clauses.getFirst(), context).getField();
    SpanNearQuery.Builder near = new SpanNearQuery.Builder(field, inOrder);
    near.setSlop(slop);
    for (QueryClause clause : clauses) {
      if (clause instanceof Gap gap) {
        near.addGap(gap.width);
      } else {
        near.addClause(SpanClauses.spans(clause, context));
      }
    }
    return near.build();
  }

  @Override
  public List<QueryClause> children() {
    return clauses;
  }
}
