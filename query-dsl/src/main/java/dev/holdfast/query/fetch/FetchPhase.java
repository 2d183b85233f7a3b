package dev.holdfast.query.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.specialized.PercolatedSlots;
import dev.holdfast.query.highlight.HighlightRequest;
import dev.holdfast.query.highlight.Highlights;
import dev.holdfast.query.request.Collapse;
import dev.holdfast.query.request.HitParts;
import dev.holdfast.query.request.Rescore;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ExplainedScore;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.script.ScriptField;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.query.sort.SortKeys;
import dev.holdfast.query.source.HitPlace;
import dev.holdfast.query.source.NestedBlocks;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.query.source.StoredDocument;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;

/// Reads what is shown of hits that made it into the answer: only they are read.
public final class FetchPhase {
  private final SearchSource source;
  private final SourceFilter shownSource;
  private final QueryContext context;
  private final List<SortKey> keys;
  private final FieldValues fieldValues;
  private final PercolatedSlots percolated;
  private final @Nullable Highlights highlights;
  private final InnerHitsPhase innerHits;

  /// Of nested objects; null for documents.
  private final @Nullable String path;

  private final @Nullable HitPlace outer;

  private FetchPhase(
      SearchSource source, QueryContext context, @Nullable String path, @Nullable HitPlace outer)
      throws IOException {
    this.path = path;
    this.outer = outer;
    this.innerHits = new InnerHitsPhase(context, source);
    this.source = source;
    this.shownSource = source.source().in(context.mapping());
    this.context = context;
    this.keys = SortKeys.bind(source.sorts(), context);
    this.percolated = PercolatedSlots.of(source.query(), context);
    this.fieldValues = new FieldValues(context, source.storedFields());
    HighlightRequest request = source.storedFields().highlight();
    this.highlights =
        request == null ? null : new Highlights(request, context, source.query().toLucene(context));
  }

  /// The hits of one shard, in the order given; [Hit#UNREAD] in place of those that the time did
  /// not suffice for.
  ///
  /// @param context with the same reader that the query phase ran on
  public static List<Hit> run(SearchSource source, QueryContext context, List<ShardHit> hits)
      throws IOException {
    if (hits.isEmpty()) {
      return List.of();
    }
    return new FetchPhase(source, context, null, null).all(hits);
  }

  /// The hits of one shard, in the order given, which may be nested objects of documents.
  public static List<Hit> anywhere(SearchSource source, QueryContext context, List<ShardHit> hits)
      throws IOException {
    if (!context.mapping().hasNested()) {
      return run(source, context, hits);
    }
    List<Hit> fetched = new ArrayList<>(hits.size());
    for (ShardHit hit : hits) {
      int root = NestedBlocks.rootOf(context, hit.doc());
      String path = root == hit.doc() ? null : NestedBlocks.pathOf(context, hit.doc());
      if (path == null) {
        fetched.addAll(run(source, context, List.of(hit)));
      } else {
        try (HitTrees trees = new HitTrees()) {
          HitPlace whole = document(context, root, trees);
          HitPlace outer = NestedBlocks.holder(context, hit.doc(), path, whole);
          fetched.addAll(nested(source, context.within(path), List.of(hit), path, outer));
        }
      }
    }
    return List.copyOf(fetched);
  }

  private static HitPlace document(QueryContext context, int root, HitTrees trees)
      throws IOException {
    StoredDocument document =
        StoredDocument.whole(context.searcher().getIndexReader(), context.mapping(), root);
    return place(root, document, trees);
  }

  /// @param trees null where none is read
  private static HitPlace place(int doc, StoredDocument document, @Nullable HitTrees trees) {
    JsonNode tree = trees == null ? null : trees.of(document.source());
    JsonNode apart = trees == null ? null : trees.of(document.valuesApart());
    return new HitPlace(doc, doc, null, document.id(), tree, apart == null ? tree : apart, null);
  }

  /// The nested objects of one hit, in the order given.
  ///
  /// @param path of the nested objects
  /// @param outer the hit that holds them
  static List<Hit> nested(
      SearchSource source, QueryContext context, List<ShardHit> hits, String path, HitPlace outer)
      throws IOException {
    return hits.isEmpty() ? List.of() : new FetchPhase(source, context, path, outer).all(hits);
  }

  private List<Hit> all(List<ShardHit> hits) throws IOException {
    Hit[] fetched = new Hit[hits.size()];
    Arrays.fill(fetched, Hit.UNREAD);
    try {
      readInto(fetched, hits);
    } catch (StopSignal.TimeOver e) {
      if (outer != null) {
        throw e; // the hit around them is not read either
      }
    }
    return List.of(fetched);
  }

  private void readInto(Hit[] fetched, List<ShardHit> hits) throws IOException {
    List<Map<String, @Nullable Float>> matched = MatchedQueries.of(source, context, hits);
    // Read in the order of the index: neighbours share compressed blocks.
    TreeMap<Integer, List<Integer>> positions = new TreeMap<>();
    for (int i = 0; i < hits.size(); i++) {
      positions.computeIfAbsent(hits.get(i).doc(), doc -> new ArrayList<>()).add(i);
    }
    StoredFields stored = context.searcher().getIndexReader().storedFields();
    for (int doc : positions.keySet()) {
      stored.prefetch(doc);
    }
    for (Map.Entry<Integer, List<Integer>> entry : positions.entrySet()) {
      for (int i : entry.getValue()) {
        StopSignal.look();
        Hit hit = hit(hits.get(i), stored, matched.get(i));
        WorkMemory.add(hit.heldBytes());
        fetched[i] = hit;
      }
    }
  }

  private Hit hit(ShardHit hit, StoredFields stored, Map<String, @Nullable Float> matched)
      throws IOException {
    try (HitTrees trees = new HitTrees()) {
      return hit(hit, stored, matched, trees);
    }
  }

  private Hit hit(
      ShardHit hit, StoredFields stored, Map<String, @Nullable Float> matched, HitTrees trees)
      throws IOException {
    HitParts parts = source.storedFields();
    HitPlace inside = outer;
    // Who looks at the stored document for highlights has the id, too.
    boolean showsId = parts.withId() || (highlights != null && highlights.readsSource());
    boolean readsTree = fieldValues.readsSource() || highlights != null || !innerHits.isEmpty();
    boolean readsSource = inside == null && (source.source().isShown() || readsTree);
    StoredDocument document = new StoredDocument(readsSource);
    if (showsId || readsSource) {
      IndexReader reader = context.searcher().getIndexReader();
      document.read(stored, reader, context.mapping(), hit.doc());
    }
    LeafReaderContext leaf = leaf(hit.doc());
    int inLeaf = hit.doc() - leaf.docBase;
    byte[] bytes = document.source();
    HitPlace place = place(hit.doc(), document, readsTree ? trees : null);
    JsonNode tree = place.source();
    JsonNode storedTree = place.stored();
    byte[] shown = bytes == null || !source.source().isShown() ? null : shownSource.apply(bytes);
    String nestedPath = path;
    if (inside != null && nestedPath != null) {
      HitPlace holder = NestedBlocks.holder(context, hit.doc(), nestedPath, inside);
      place = NestedBlocks.place(context, hit.doc(), holder, nestedPath);
      tree = objectOf(place, place.source());
      storedTree = objectOf(place, place.stored());
      shown = tree == null || !source.source().isShown() ? null : cut(tree, nestedPath);
    }
    int root = place.root() - leaf.docBase;
    Map<String, List<Object>> without = new LinkedHashMap<>();
    Map<String, List<Object>> values =
        fieldValues.of(leaf, inLeaf, root, tree, storedTree, without);
    List<String> ignored = fieldValues.ignored(leaf, inLeaf);
    values = fieldValues.withMetadata(values, document, leaf, root, ignored);
    if (!percolated.isEmpty()) {
      values = new LinkedHashMap<>(values);
      percolated.add(values, leaf, inLeaf);
    }
    if (!parts.scriptFields().isEmpty()) {
      values = new LinkedHashMap<>(values);
      ScriptField.addTo(values, parts.scriptFields(), context, leaf, inLeaf);
    }
    Collapse collapse = source.extras().collapse();
    if (collapse != null && hit.group() != null) {
      values = new LinkedHashMap<>(values);
      values.putIfAbsent(collapse.field(), fieldValues.group(collapse.type(context), hit.group()));
    }
    return new Hit(
        context.index(),
        showsId ? document.id() : null,
        place.nested(),
        hit.score(),
        shown,
        parts.withId() ? document.routing() : null,
        parts.withId() ? ignored : List.of(),
        parts.withVersion() ? number(leaf, MetadataFields.VERSION, root) : -1,
        parts.withSeqNo() ? number(leaf, MetadataFields.SEQ_NO, root) : -1,
        parts.withSeqNo() ? number(leaf, MetadataFields.PRIMARY_TERM, root) : -1,
        values,
        without,
        sort(hit),
        highlighted(document.id(), hit.doc(), storedTree),
        matched,
        parts.withExplanation() ? explanation(hit) : null,
        innerHits.of(place),
        hit.group());
  }

  private Map<String, List<String>> highlighted(
      @Nullable String id, int doc, @Nullable JsonNode tree) throws IOException {
    HighlightRequest request = source.storedFields().highlight();
    if (request == null || highlights == null || tree == null) {
      return Map.of();
    }
    Map<String, List<String>> all = highlights.of(id, doc, tree);
    if (percolated.isEmpty()) {
      return all;
    }
    LeafReaderContext leaf = leaf(doc);
    Map<String, List<String>> both = new LinkedHashMap<>(all);
    both.putAll(percolated.highlights(request, leaf, doc - leaf.docBase));
    return both;
  }

  /// A nested object at its path in its document.
  private static @Nullable JsonNode objectOf(HitPlace place, @Nullable JsonNode whole) {
    JsonNode identity = place.nested();
    String at = place.path();
    JsonNode object =
        whole == null || identity == null ? null : NestedBlocks.object(whole, identity);
    return object == null || at == null ? null : NestedBlocks.wrapped(at, object);
  }

  /// The shown parts of a nested object, which filters name by full paths.
  private byte[] cut(JsonNode wrapped, String nestedPath) throws IOException {
    JsonNode filtered = Json.parse(shownSource.apply(Json.bytes(wrapped)));
    for (String step : nestedPath.split("\\.", -1)) {
      filtered = filtered.path(step);
    }
    return Json.bytes(filtered.isMissingNode() ? Json.object() : filtered);
  }

  private LeafReaderContext leaf(int doc) {
    List<LeafReaderContext> leaves = context.searcher().getIndexReader().leaves();
    return leaves.get(ReaderUtil.subIndex(doc, leaves));
  }

  private static long number(LeafReaderContext leaf, String field, int doc) throws IOException {
    NumericDocValues values = DocValues.getNumeric(leaf.reader(), field);
    return values.advanceExact(doc) ? values.longValue() : -1;
  }

  private List<@Nullable Object> sort(ShardHit hit) {
    List<@Nullable Object> shown = new ArrayList<>(keys.size());
    if (source.isByScore()) {
      if (source.searchAfter() != null) {
        shown.add(hit.score());
      }
      return shown;
    }
    for (int i = 0; i < keys.size(); i++) {
      shown.add(keys.get(i).shown(hit.sortValues().get(i)));
    }
    return shown;
  }

  private ExplainedScore explanation(ShardHit hit) throws IOException {
    Explanation explanation =
        context.searcher().explain(source.query().toLucene(context), hit.doc());
    for (Rescore rescore : source.extras().rescores()) {
      Explanation rescored = rescore.explain(context, explanation, hit.doc());
      // Hits outside of the window kept their score, weighed.
      float kept = explanation.getValue().floatValue() * rescore.queryWeight();
      boolean isOutside =
          Math.abs(kept - hit.score()) < Math.abs(rescored.getValue().floatValue() - hit.score());
      explanation =
          isOutside
              ? Explanation.match(
                  kept,
                  "product of:",
                  explanation,
                  Explanation.match(rescore.queryWeight(), "primaryWeight"))
              : rescored;
    }
    return new ExplainedScore(context.shard(), context.node(), Explanations.json(explanation));
  }
}
