package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;

/// One `rescore` of a search: the best hits are scored once more by another query.
public record Rescore(
    int window, QueryClause query, float queryWeight, float rescoreWeight, Mode mode) {
  private static final int WINDOW_DEFAULT = 10;

  /// How both scores become one.
  enum Mode {
    TOTAL,
    AVG,
    MAX,
    MIN,
    MULTIPLY;

    float combine(float first, float second) {
      return switch (this) {
        case TOTAL -> first + second;
        case AVG -> (first + second) / 2;
        case MAX -> Math.max(first, second);
        case MIN -> Math.min(first, second);
        case MULTIPLY -> first * second;
      };
    }
  }

  public static List<Rescore> parseAll(@Nullable JsonNode given, QueryReader queries) {
    List<Rescore> all = new ArrayList<>();
    if (given != null && !given.isNull()) {
      for (JsonNode one : given.isArray() ? given : List.of(given)) {
        all.add(parse(one, queries));
      }
    }
    return List.copyOf(all);
  }

  private static Rescore parse(JsonNode given, QueryReader queries) {
    JsonObject json = JsonObject.ofValues("rescore", given);
    int window = json.integer("window_size", WINDOW_DEFAULT);
    if (window < 0) {
      throw Refusal.badArgument("[window_size] cannot be negative, found [" + window + "]");
    }
    JsonNode query = json.take("query");
    if (!json.rest().isEmpty()) {
      throw new Refusal(
          ErrorType.PARSING,
          "rescore doesn't support rescorer with name [" + json.rest().getFirst() + "]");
    }
    if (query == null) {
      throw new Refusal(ErrorType.PARSING, "missing rescore type");
    }
    JsonObject options = JsonObject.ofKinds("query", query);
    Rescore rescore =
        new Rescore(
            window,
            queries.read(options.required("rescore_query")),
            (float) options.doubleValue("query_weight", 1),
            (float) options.doubleValue("rescore_query_weight", 1),
            mode(options.string("score_mode", "total")));
    options.done();
    return rescore;
  }

  private static Mode mode(String name) {
    for (Mode mode : Mode.values()) {
      if (mode.name().equals(name.toUpperCase(Locale.ROOT))) {
        return mode;
      }
    }
    throw Refusal.badArgument("illegal score_mode [" + name + "]");
  }

  private QueryRescorer rescorer(QueryContext context) {
    Query second = query.toLucene(context);
    return new QueryRescorer(second) {
      @Override
      protected float combine(float first, boolean matches, float score) {
        return matches
            ? mode.combine(first * queryWeight, score * rescoreWeight)
            : first * queryWeight;
      }
    };
  }

  /// The hits in their new order; those outside the window follow with their scores weighed.
  public TopDocs apply(QueryContext context, TopDocs hits) throws IOException {
    IndexSearcher searcher = context.searcher();
    ScoreDoc[] all = hits.scoreDocs;
    int count = Math.min(window, all.length);
    TopDocs best = new TopDocs(hits.totalHits, Arrays.copyOf(all, count));
    ScoreDoc[] rescored = rescorer(context).rescore(searcher, best, count).scoreDocs;
    ScoreDoc[] together = Arrays.copyOf(all, all.length);
    System.arraycopy(rescored, 0, together, 0, count);
    for (int i = count; i < together.length; i++) {
      together[i] =
          new ScoreDoc(together[i].doc, together[i].score * queryWeight, together[i].shardIndex);
    }
    Arrays.sort(
        together,
        (a, b) ->
            a.score == b.score ? Integer.compare(a.doc, b.doc) : Float.compare(b.score, a.score));
    return new TopDocs(hits.totalHits, together);
  }

  /// Groups with the documents that stand for them scored once more: the documents stay, their
  /// order may change.
  ///
  /// @param hitsMax how many are kept
  public static List<ShardHit> groups(
      List<Rescore> rescores, QueryContext context, List<ShardHit> hits, int hitsMax)
      throws IOException {
    if (rescores.isEmpty()) {
      return hits;
    }
    Map<Integer, ShardHit> byDocument = new HashMap<>();
    ScoreDoc[] before = new ScoreDoc[hits.size()];
    for (int i = 0; i < before.length; i++) {
      ShardHit hit = hits.get(i);
      byDocument.put(hit.doc(), hit);
      before[i] = new ScoreDoc(hit.doc(), hit.score());
    }
    TopDocs docs = new TopDocs(new TotalHits(before.length, TotalHits.Relation.EQUAL_TO), before);
    for (Rescore rescore : rescores) {
      docs = rescore.apply(context, docs);
    }
    List<ShardHit> rescored = new ArrayList<>();
    for (ScoreDoc doc : docs.scoreDocs) {
      ShardHit hit = byDocument.get(doc.doc);
      if (hit != null && rescored.size() < hitsMax) {
        rescored.add(new ShardHit(doc.doc, doc.score, hit.sortValues(), hit.group()));
      }
    }
    return rescored;
  }

  public Explanation explain(QueryContext context, Explanation first, int doc) throws IOException {
    return rescorer(context).explain(context.searcher(), first, doc);
  }
}
