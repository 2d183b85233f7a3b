package dev.holdfast.query.clause.span;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.spans.FieldMaskingSpanQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;

/// Where a span of one field is, as if it were in another one.
public record SpanFieldMaskingClause(QueryClause query, String field) implements SpanClause {
  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    QueryClause query = SpanClauses.read(of, "query", inner);
    String field = of.json().string("field");
    if (field == null) {
      throw QueryReader.parsing("[" + of.kind() + "] must have [field] set for it");
    }
    if (field.isEmpty()) {
      throw Refusal.badArgument("field name is null or empty");
    }
    return of.finish(new SpanFieldMaskingClause(query, field));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    String path = context.path(field);
    try {
      // Scores need statistics of the field, which Lucene does not look for: nothing is in it.
      return context.searcher().collectionStatistics(path) == null
          ? new SpanTermQuery(new Term(path, ""))
          : new FieldMaskingSpanQuery(SpanClauses.spans(query, context), path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<QueryClause> children() {
    return List.of(query);
  }
}
