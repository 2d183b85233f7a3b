package dev.holdfast.query.clause.span;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.CountedExpansion;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopTermsRewrite;

/// Where a term of a prefix, wildcard, range, regular expression or fuzzy query is.
public record SpanMultiClause(QueryClause match) implements SpanClause {
  private static final List<String> KINDS =
      List.of("prefix", "wildcard", "regexp", "fuzzy", "range");

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonNode match = of.take("match");
    if (match == null || !match.isObject() || match.isEmpty()) {
      throw QueryReader.parsing("[span_multi] must have [match] multi term query clause");
    }
    if (!KINDS.contains(match.fieldNames().next())) {
      throw QueryReader.parsing("[span_multi] [match] must be of type multi term query");
    }
    return of.finish(new SpanMultiClause(inner.read(match)));
  }

  @Override
  public SpanQuery toSpans(QueryContext context) {
    Query query = match.toLucene(context);
    while (query instanceof BoostQuery || query instanceof ConstantScoreQuery) {
      query =
          query instanceof BoostQuery boosted
              ? boosted.getQuery()
              : ((ConstantScoreQuery) query).getQuery();
    }
    if (query instanceof MatchNoDocsQuery) {
      return new SpanTermQuery(new Term("", ""));
    }
    if (query instanceof MultiTermQuery terms) {
      FieldQueries.checkPositions(context, terms.getField(), "SpanTermQuery");
      SpanMultiTermQueryWrapper<MultiTermQuery> spans = new SpanMultiTermQueryWrapper<>(terms);
      if (terms.getRewriteMethod() instanceof CountedExpansion counted
          && counted.method() instanceof TopTermsRewrite<?> top) {
        spans.setRewriteMethod(
            new SpanMultiTermQueryWrapper.TopTermsSpanBooleanQueryRewrite(top.getSize()));
      }
      return spans;
    }
    throw Refusal.badArgument("unsupported inner query, should be a multi term query");
  }

  @Override
  public List<QueryClause> children() {
    return List.of(match);
  }
}
