package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// Some documents in a given order before those of another query.
public record PinnedClause(QueryClause organic, List<Pin> pins) implements QueryClause {
  private static final int PINS_MAX = 100;

  /// More than any organic score, and as many floats above it as there may be pins.
  private static final float SCORE_LEAST = 1.7014122E38f;

  /// A document.
  ///
  /// @param index null for any
  record Pin(@Nullable String index, String id) {}

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    JsonNode organic = json.take("organic");
    if (organic == null) {
      throw Refusal.badArgument("Required [organic]");
    }
    List<Pin> pins = new ArrayList<>();
    json.strings("ids").forEach(id -> pins.add(new Pin(null, id)));
    JsonNode docs = json.take("docs");
    if (docs != null && !pins.isEmpty()) {
      throw Refusal.badArgument("[ids] and [docs] cannot both be used");
    }
    if (docs != null) {
      if (!docs.isArray()) {
        throw Refusal.badArgument("[docs] must be a list, but is [" + docs + "]");
      }
      for (JsonNode doc : docs) {
        JsonObject one = JsonObject.of("pinned", doc);
        String index = one.string("_index");
        pins.add(new Pin(index == null || index.isEmpty() ? null : index, one.requiredText("_id")));
        one.done();
      }
    }
    if (pins.size() > PINS_MAX) {
      throw Refusal.badArgument("[pinned] exceeds maximum of " + PINS_MAX + " documents");
    }
    return of.finish(new PinnedClause(inner.read(organic), List.copyOf(pins)));
  }

  @Override
  public Query toLucene(QueryContext context) {
    List<Query> queries = new ArrayList<>();
    float score = SCORE_LEAST;
    for (int i = pins.size() - 1; i >= 0; i--) {
      Pin pin = pins.get(i);
      score = Math.nextUp(score);
      if (pin.index() == null || pin.index().equals(context.index())) {
        Query document = new TermQuery(new Term(MetadataFields.ID, pin.id()));
        queries.add(new BoostQuery(new ConstantScoreQuery(document), score));
      }
    }
    Query rest = organic.toLucene(context);
    if (queries.isEmpty()) {
      return rest;
    }
    Query pinned = new DisjunctionMaxQuery(queries, 0);
    return rest instanceof MatchNoDocsQuery
        ? pinned
        : new DisjunctionMaxQuery(List.of(pinned, capped(rest)), 0);
  }

  private static Query capped(Query query) {
    return new BooleanQuery.Builder().add(query, Occur.MUST).build();
  }

  @Override
  public List<QueryClause> children() {
    return List.of(organic);
  }
}
