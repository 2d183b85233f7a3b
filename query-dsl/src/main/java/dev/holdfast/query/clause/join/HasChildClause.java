package dev.holdfast.query.clause.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.source.HitPlace;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.Function;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.join.ScoreMode;
import org.jspecify.annotations.Nullable;

/// Documents with children of a kind that match a query.
///
/// @param childrenMin how many at least
/// @param childrenMax how many at most
public record HasChildClause(
    String kind,
    QueryClause query,
    ScoreMode scoreMode,
    int childrenMin,
    int childrenMax,
    boolean ignoresUnmapped,
    @Nullable InnerHitsRequest innerHits)
    implements InnerHitsClause {

  /// @param search reads the body of `inner_hits`
  public static QueryClause parse(
      ClauseBody body, QueryReader inner, Function<ObjectNode, SearchSource> search) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String kind = json.string("type");
    if (kind == null || !json.has("query")) {
      throw Refusal.badArgument(
          "[has_child] requires '" + (kind == null ? "type" : "query") + "' field");
    }
    int min = json.integer("min_children", 1);
    int max = json.integer("max_children", Integer.MAX_VALUE);
    if (min < 0 || max < 0) {
      throw Refusal.badArgument(
          "[has_child] requires non-negative 'min_children' and 'max_children' fields");
    }
    if (max < min) {
      throw Refusal.badArgument("[has_child] 'max_children' is less than 'min_children'");
    }
    return of.finish(
        new HasChildClause(
            kind,
            inner.read(json.take("query")),
            NestedClause.scoreMode(json.string("score_mode", "none")),
            min,
            max,
            json.bool("ignore_unmapped", false),
            InnerHitsRequest.parse(json.take("inner_hits"), search)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    context.beExpensive("[joining] queries", "");
    JoinField joined = JoinField.of(context);
    String parent = joined == null ? null : joined.relations().parentOf(kind);
    if (joined == null || parent == null) {
      if (ignoresUnmapped) {
        return new MatchNoDocsQuery("no children [" + kind + "]");
      }
      throw JoinField.unknown(joined, "has_child", kind, "child");
    }
    checkInnerHits(context);
    return JoinQueries.query(
        context,
        joined.ids(parent),
        joined.kind(kind, query.toLucene(context)),
        joined.kind(parent),
        scoreMode,
        Math.max(1, childrenMin),
        childrenMax == 0 ? Integer.MAX_VALUE : childrenMax);
  }

  @Override
  public String innerName() {
    return kind;
  }

  @Override
  public @Nullable Query within(QueryContext context, HitPlace hit) throws IOException {
    JoinField joined = JoinField.of(context);
    String parent = joined == null ? null : joined.relations().parentOf(kind);
    String id = hit.id();
    if (joined == null || parent == null || id == null) {
      return null;
    }
    return new BooleanQuery.Builder()
        .add(joined.kind(kind), Occur.FILTER)
        .add(new TermQuery(new Term(joined.ids(parent), id)), Occur.FILTER)
        .build();
  }
}
