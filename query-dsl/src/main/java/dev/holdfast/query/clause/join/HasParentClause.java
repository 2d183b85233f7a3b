package dev.holdfast.query.clause.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.source.HitPlace;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Documents whose parent is of a kind and matches a query.
public record HasParentClause(
    String kind,
    QueryClause query,
    boolean withScore,
    boolean ignoresUnmapped,
    @Nullable InnerHitsRequest innerHits)
    implements InnerHitsClause {

  /// @param search reads the body of `inner_hits`
  public static QueryClause parse(
      ClauseBody body, QueryReader inner, Function<ObjectNode, SearchSource> search) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    String kind = json.string("parent_type");
    if (kind == null || !json.has("query")) {
      throw Refusal.badArgument(
          "[has_parent] requires '" + (kind == null ? "parent_type" : "query") + "' field");
    }
    return of.finish(
        new HasParentClause(
            kind,
            inner.read(json.take("query")),
            json.bool("score", false),
            json.bool("ignore_unmapped", false),
            InnerHitsRequest.parse(json.take("inner_hits"), search)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    context.beExpensive("[joining] queries", "");
    JoinField joined = JoinField.of(context);
    List<String> kinds = joined == null ? null : joined.relations().children().get(kind);
    if (joined == null || kinds == null) {
      if (ignoresUnmapped) {
        return new MatchNoDocsQuery("no parents [" + kind + "]");
      }
      throw JoinField.unknown(joined, "has_parent", kind, "parent");
    }
    checkInnerHits(context);
    BooleanQuery.Builder children = new BooleanQuery.Builder();
    kinds.forEach(child -> children.add(joined.kind(child), Occur.SHOULD));
    return JoinQueries.query(
        context,
        joined.ids(kind),
        joined.kind(kind, query.toLucene(context)),
        children.build(),
        withScore ? ScoreMode.Max : ScoreMode.None,
        1,
        Integer.MAX_VALUE);
  }

  @Override
  public String innerName() {
    return kind;
  }

  @Override
  public @Nullable Query within(QueryContext context, HitPlace hit) throws IOException {
    JoinField joined = JoinField.of(context);
    if (joined == null) {
      return null;
    }
    List<LeafReaderContext> leaves = context.searcher().getIndexReader().leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc(), leaves));
    SortedSetDocValues ids = DocValues.getSortedSet(leaf.reader(), joined.ids(kind));
    if (!ids.advanceExact(hit.doc() - leaf.docBase)) {
      return null;
    }
    BytesRef id = BytesRef.deepCopyOf(ids.lookupOrd(ids.nextOrd()));
    return new BooleanQuery.Builder()
        .add(joined.kind(kind), Occur.FILTER)
        .add(new TermQuery(new Term(MetadataFields.ID, id)), Occur.FILTER)
        .build();
  }
}
