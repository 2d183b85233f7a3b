package dev.holdfast.query.clause.compound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
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
    if (children().isEmpty()) {
      return MatchAllDocsQuery.INSTANCE;
    }
    Parts parts = new Parts(context);
    parts.add(must, Occur.MUST);
    parts.add(filter, Occur.FILTER);
    parts.add(should, Occur.SHOULD);
    parts.add(mustNot, Occur.MUST_NOT);
    if (parts.matchesNothing) {
      return new MatchNoDocsQuery("a clause of a bool query matches no document");
    }
    BooleanQuery.Builder builder = parts.built();
    if (must.isEmpty() && filter.isEmpty() && should.isEmpty()) {
      // All but some: there are no optional clauses of which some could be asked for.
      return builder.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER).build();
    }
    return MinimumShouldMatch.apply(builder.build(), minimumShouldMatch);
  }

  /// The clauses of one shard. Where one of them leaves no document, what is wrong with another one
  /// is not told: a query over several indices may ask each for what only it has.
  private static final class Parts {
    private final QueryContext context;
    private final BooleanQuery.Builder builder = new BooleanQuery.Builder();
    private boolean matchesNothing;
    private @Nullable Refusal refused;

    Parts(QueryContext context) {
      this.context = context;
    }

    void add(List<QueryClause> clauses, Occur occur) {
      for (QueryClause clause : clauses) {
        try {
          Query query = clause.toLucene(context);
          builder.add(query, occur);
          matchesNothing |= leavesNothing(query, occur);
        } catch (Refusal e) {
          if (e.status() != 400) {
            throw e;
          }
          refused = refused == null ? e : refused;
        }
      }
    }

    private static boolean leavesNothing(Query query, Occur occur) {
      return switch (occur) {
        case MUST, FILTER -> query instanceof MatchNoDocsQuery;
        case MUST_NOT -> query instanceof MatchAllDocsQuery;
        case SHOULD -> false;
      };
    }

    BooleanQuery.Builder built() {
      if (refused != null) {
        throw refused;
      }
      return builder;
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
