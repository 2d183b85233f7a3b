package dev.holdfast.query.clause.join;

import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// The children of a kind that one parent has.
public record ParentIdClause(String kind, String id, boolean ignoresUnmapped)
    implements QueryClause {
  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String kind = json.string("type");
    String id = json.string("id");
    if (kind == null || id == null) {
      throw Refusal.badArgument(
          "[parent_id] requires '" + (kind == null ? "type" : "id") + "' field");
    }
    return of.finish(new ParentIdClause(kind, id, json.bool("ignore_unmapped", false)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    JoinField joined = JoinField.of(context);
    String parent = joined == null ? null : joined.relations().parentOf(kind);
    if (joined == null || parent == null) {
      if (ignoresUnmapped) {
        return new MatchNoDocsQuery("no children [" + kind + "]");
      }
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          joined == null
              ? "[parent_id] no join field found for index [" + context.index() + "]"
              : "[parent_id] no relation found for child [" + kind + "]");
    }
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term(joined.ids(parent), id)), Occur.MUST)
        .add(joined.kind(kind), Occur.FILTER)
        .build();
  }
}
