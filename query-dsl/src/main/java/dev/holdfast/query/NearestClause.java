package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// The `knn` of a search with its query: hits of any of them, scores added.
record NearestClause(List<QueryClause> all) implements QueryClause {
  private static final int K_DEFAULT = 10;

  /// @param query null for none
  static QueryClause parse(JsonNode knn, @Nullable JsonNode query) {
    List<QueryClause> all = new ArrayList<>();
    if (query != null) {
      all.add(Queries.parse(query));
    }
    for (JsonNode one : knn.isArray() ? knn : List.of(knn)) {
      ObjectNode body = JsonObject.of("knn", one).node().deepCopy();
      JsonNode _ = body.remove("inner_hits");
      all.add(
          KnnClause.parse(new ClauseBody("knn", body).options(), new QueryReader(2), K_DEFAULT));
    }
    return all.size() == 1 ? all.getFirst() : new NearestClause(List.copyOf(all));
  }

  @Override
  public Query toLucene(QueryContext context) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    all.forEach(one -> any.add(one.toLucene(context), Occur.SHOULD));
    return any.build();
  }

  @Override
  public List<QueryClause> children() {
    return all;
  }
}
