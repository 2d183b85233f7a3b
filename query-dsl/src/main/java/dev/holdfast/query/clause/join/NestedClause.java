package dev.holdfast.query.clause.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.source.HitPlace;
import dev.holdfast.query.source.NestedBlocks;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;
import org.jspecify.annotations.Nullable;

/// Documents with a nested object that matches a query.
public record NestedClause(
    String path,
    QueryClause query,
    ScoreMode scoreMode,
    boolean ignoresUnmapped,
    @Nullable InnerHitsRequest innerHits)
    implements InnerHitsClause {

  /// @param search reads the body of `inner_hits`
  public static QueryClause parse(
      ClauseBody body, QueryReader inner, Function<ObjectNode, SearchSource> search) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String path = json.string("path");
    if (path == null) {
      throw Refusal.badArgument("[nested] requires 'path' field");
    }
    if (!json.has("query")) {
      throw Refusal.badArgument("[nested] requires 'query' field");
    }
    return of.finish(
        new NestedClause(
            path,
            inner.read(json.take("query")),
            scoreMode(json.string("score_mode", "avg")),
            json.bool("ignore_unmapped", false),
            InnerHitsRequest.parse(json.take("inner_hits"), search)));
  }

  static ScoreMode scoreMode(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "none" -> ScoreMode.None;
      case "avg" -> ScoreMode.Avg;
      case "max" -> ScoreMode.Max;
      case "min" -> ScoreMode.Min;
      case "sum" -> ScoreMode.Total;
      default -> throw Refusal.badArgument("No score mode for child query [" + name + "] found");
    };
  }

  @Override
  public Query toLucene(QueryContext context) {
    context.beExpensive("[joining] queries", "");
    if (!context.mapping().isNested(path)) {
      if (ignoresUnmapped) {
        return new MatchNoDocsQuery("no nested object [" + path + "]");
      }
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          context.mapping().isObject(path)
              ? "[nested] nested object under path [" + path + "] is not of nested type"
              : "[nested] failed to find nested object under path [" + path + "]");
    }
    checkInnerHits(context);
    if (!liesIn(context.scope())) {
      return new MatchNoDocsQuery("objects of [" + path + "] do not lie in those asked about");
    }
    Query children =
        new BooleanQuery.Builder()
            .add(query.toLucene(context.within(path)), Occur.MUST)
            .add(NestedDocuments.of(path), Occur.FILTER)
            .build();
    Query parents = NestedDocuments.of(context.scope());
    return new ToParentBlockJoinQuery(children, new QueryBitSetProducer(parents), scoreMode);
  }

  private boolean liesIn(@Nullable String objects) {
    return objects == null || path.startsWith(objects + ".");
  }

  @Override
  public String innerName() {
    return path;
  }

  @Override
  public String nestedPath() {
    return path;
  }

  @Override
  public Query within(QueryContext context, HitPlace hit) throws IOException {
    if (!liesIn(hit.path())) {
      return new MatchNoDocsQuery("objects of [" + path + "] do not lie in the hit");
    }
    int first = NestedBlocks.firstOf(context, hit.doc(), hit.path());
    return new BooleanQuery.Builder()
        .add(NestedDocuments.of(path), Occur.FILTER)
        .add(new DocumentRangeQuery(first, hit.doc()), Occur.FILTER)
        .build();
  }
}
