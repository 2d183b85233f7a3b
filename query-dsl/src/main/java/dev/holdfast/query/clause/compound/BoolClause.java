package dev.holdfast.query.clause.compound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.world.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Queries that must, should or must not match.
///
/// @param minimumShouldMatch how many of `should`, null for Elasticsearch's default: one when
///   nothing else must match
public record BoolClause(
    List<QueryClause> must,
    List<QueryClause> filter,
    List<QueryClause> should,
    List<QueryClause> mustNot,
    @Nullable String minimumShouldMatch)
    implements QueryClause {

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options options = body.options();
    JsonObject json = options.json();
    BoolClause clause =
        new BoolClause(
            inner.readAll(json.orNull("must")),
            inner.readAll(json.orNull("filter")),
            inner.readAll(json.orNull("should")),
            inner.readAll(json.orNull(json.has("mustNot") ? "mustNot" : "must_not")),
            minimum(json.orNull("minimum_should_match")));
    json.bool("adjust_pure_negative", true);
    MinimumShouldMatch.check(clause.minimumShouldMatch);
    return options.finish(clause);
  }

  private static @Nullable String minimum(@Nullable JsonNode given) {
    if (given != null && given.isContainerNode()) {
      throw QueryReader.parsing("[bool] minimum_should_match is no value: " + given);
    }
    return given == null ? null : given.asText();
  }

  @Override
  public Query toLucene(QueryContext context) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    add(builder, must, Occur.MUST, context);
    add(builder, filter, Occur.FILTER, context);
    add(builder, should, Occur.SHOULD, context);
    add(builder, mustNot, Occur.MUST_NOT, context);
    if (children().isEmpty()) {
      return MatchAllDocsQuery.INSTANCE;
    }
    if (must.isEmpty() && filter.isEmpty() && should.isEmpty()) {
      // All but some: there are no optional clauses of which some could be asked for.
      return builder.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER).build();
    }
    return MinimumShouldMatch.apply(builder.build(), minimumShouldMatch);
  }

  private static void add(
      BooleanQuery.Builder builder, List<QueryClause> clauses, Occur occur, QueryContext context) {
    for (QueryClause clause : clauses) {
      builder.add(clause.toLucene(context), occur);
    }
  }

  @Override
  public List<QueryClause> children() {
    List<QueryClause> children = new ArrayList<>(must);
    children.addAll(filter);
    children.addAll(should);
    children.addAll(mustNot);
    return children;
  }
}
