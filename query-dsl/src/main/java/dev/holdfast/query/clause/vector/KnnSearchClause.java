package dev.holdfast.query.clause.vector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.join.InnerHitsRequest;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// The `knn` of a search with its query: hits of any of them, scores added.
///
/// @param query null for none
public record KnnSearchClause(@Nullable QueryClause query, List<Nearest> nearest)
    implements QueryClause {
  private static final int K_DEFAULT = 10;

  /// One element of `knn`.
  ///
  /// @param body as it was asked for, with `k` and `num_candidates`
  /// @param reading what it was read with
  public record Nearest(QueryClause clause, ObjectNode body, int k, Reading reading) {
    static Nearest parse(JsonNode json, Reading reading) {
      ObjectNode body = JsonObject.of("knn", json).node().deepCopy();
      if (body.path("inner_hits").isNull()) {
        throw new Refusal(
                ErrorType.X_CONTENT_PARSE,
                "[knn] inner_hits doesn't support values of type: VALUE_NULL")
            .at(MemberLocation.ofValue(body, "inner_hits"));
      }
      ObjectNode left = body.deepCopy();
      InnerHitsRequest inner = InnerHitsRequest.parse(left.remove("inner_hits"), reading.search);
      ClauseBody.Options of = new ClauseBody("knn", left).options();
      KnnClause found = KnnClause.read(of, reading.queries.inner(), K_DEFAULT);
      QueryClause clause = of.finish(new NestedKnnClause(found, inner));
      int k = body.path("k").asInt(K_DEFAULT);
      body.put("k", k);
      if (!body.has("num_candidates")) {
        body.put("num_candidates", KnnClause.usualCandidates(k));
      }
      return new Nearest(clause, body, k, reading);
    }

    /// The same with fewer hits, found among as many candidates.
    @Nullable Nearest limited(int count) {
      return count == 0 ? null : parse(body.deepCopy().put("k", Math.min(k, count)), reading);
    }
  }

  /// Reads what is inside `knn`.
  ///
  /// @param queries reads the outermost queries
  /// @param search reads the body of `inner_hits`
  public record Reading(QueryReader queries, Function<ObjectNode, SearchSource> search) {}

  /// @param query null for none
  public static KnnSearchClause parse(JsonNode knn, @Nullable JsonNode query, Reading reading) {
    List<Nearest> nearest = new ArrayList<>();
    for (JsonNode one : knn.isArray() ? knn : List.of(knn)) {
      nearest.add(Nearest.parse(one, reading));
    }
    return new KnnSearchClause(
        query == null ? null : reading.queries.read(query), List.copyOf(nearest));
  }

  /// The same with so many hits of each `knn`, at most.
  public KnnSearchClause limited(List<Integer> counts) {
    List<Nearest> fewer = new ArrayList<>();
    for (int i = 0; i < nearest.size(); i++) {
      Nearest limited = nearest.get(i).limited(counts.get(i));
      if (limited != null) {
        fewer.add(limited);
      }
    }
    return new KnnSearchClause(query, List.copyOf(fewer));
  }

  @Override
  public Query toLucene(QueryContext context) {
    List<QueryClause> all = children();
    if (all.size() == 1) {
      return all.getFirst().toLucene(context);
    }
    if (all.isEmpty()) {
      return new MatchNoDocsQuery("the nearest are in other shards");
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    all.forEach(one -> any.add(one.toLucene(context), Occur.SHOULD));
    return any.build();
  }

  @Override
  public List<QueryClause> children() {
    List<QueryClause> all = new ArrayList<>();
    if (query != null) {
      all.add(query);
    }
    nearest.forEach(one -> all.add(one.clause));
    return all;
  }
}
