package dev.holdfast.query.clause.span;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.BoostedClause;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.queries.spans.SpanQuery;
import org.jspecify.annotations.Nullable;

/// Reads the clauses inside span queries.
final class SpanClauses {
  private SpanClauses() {}

  /// Reads a member that must be a span query.
  static QueryClause read(ClauseBody.Options of, String member, QueryReader inner) {
    JsonNode given = of.take(member);
    if (given == null) {
      throw QueryReader.parsing("[" + of.kind() + "] must have [" + member + "] span query clause");
    }
    return checked(of.kind(), member, inner.read(given));
  }

  static QueryClause checked(String kind, String member, QueryClause clause) {
    if (clause instanceof BoostedClause weighed && weighed.boost() != 1) {
      throw QueryReader.parsing(
          kind
              + " ["
              + member
              + "] as a nested span clause can't have non-default boost value ["
              + weighed.boost()
              + "]");
    }
    if (plain(clause) instanceof SpanClause) {
      return clause;
    }
    throw QueryReader.parsing("[" + kind + "] [" + member + "] must be of type span query");
  }

  static List<QueryClause> readAll(ClauseBody.Options of, String member, QueryReader inner) {
    JsonNode given = of.take(member);
    if (given == null || !given.isArray() || given.isEmpty()) {
      throw QueryReader.parsing("[" + of.kind() + "] must include [" + member + "]");
    }
    List<QueryClause> clauses = new ArrayList<>();
    given.forEach(one -> clauses.add(checked(of.kind(), member, inner.read(one))));
    return List.copyOf(clauses);
  }

  private static QueryClause plain(QueryClause clause) {
    return clause instanceof BoostedClause weighed ? weighed.clause() : clause;
  }

  /// The spans of a clause.
  static SpanQuery spans(QueryClause clause, QueryContext context) {
    if (!(plain(clause) instanceof SpanClause span)) {
      throw Refusal.badArgument("not a span query: " + clause);
    }
    return span.toSpans(context);
  }

  static SpanQuery[] spans(List<QueryClause> clauses, QueryContext context) {
    return clauses.stream().map(clause -> spans(clause, context)).toArray(SpanQuery[]::new);
  }

  /// A number of words.
  static int words(JsonObject json, String name, @Nullable Integer whenAbsent) {
    if (whenAbsent == null && !json.has(name)) {
      throw QueryReader.parsing("[" + json.context() + "] must have [" + name + "] set");
    }
    return json.integer(name, whenAbsent == null ? 0 : whenAbsent);
  }
}
