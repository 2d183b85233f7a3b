package dev.holdfast.query.clause.span;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.queries.spans.SpanNotQuery;
import org.apache.lucene.queries.spans.SpanQuery;

/// Where one span is and another is not near.
///
/// @param pre words before that must be free of it
/// @param post words after that must be free of it
public record SpanNotClause(QueryClause include, QueryClause exclude, int pre, int post)
    implements SpanClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    QueryClause include = SpanClauses.read(of, "include", inner);
    QueryClause exclude = SpanClauses.read(of, "exclude", inner);
    boolean hasDistance = json.has("dist");
    if (hasDistance && (json.has("pre") || json.has("post"))) {
      throw Refusal.badArgument("span_not can either use [dist] or [pre] & [post] (or none)");
    }
    int distance = json.integer("dist", 0);
    return of.finish(
        new SpanNotClause(
            include, exclude, json.integer("pre", distance), json.integer("post", distance)));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    return new SpanNotQuery(
        SpanClauses.spans(include, context), SpanClauses.spans(exclude, context), pre, post);
  }

  @Override
  public List<QueryClause> children() {
    return List.of(include, exclude);
  }
}
