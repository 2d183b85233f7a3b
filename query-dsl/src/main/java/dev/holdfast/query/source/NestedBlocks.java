package dev.holdfast.query.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Where nested objects are in the block of their document, and in its source.
public final class NestedBlocks {
  private NestedBlocks() {}

  /// The first document that can be inside of one: after the one before it of the same kind, and
  /// after the document before.
  ///
  /// @param path of the nested object; null for a document
  public static int firstOf(QueryContext context, int doc, @Nullable String path)
      throws IOException {
    int after = before(context, NestedDocuments.roots(), doc);
    if (path != null) {
      after = Math.max(after, before(context, NestedDocuments.of(path), doc));
    }
    return after + 1;
  }

  /// The last match before a document in its segment; one before the segment when there is none.
  private static int before(QueryContext context, Query query, int doc) throws IOException {
    LeafReaderContext leaf = leaf(context, doc);
    DocIdSetIterator matches = matches(context, query, leaf);
    int last = -1;
    if (matches != null) {
      for (int next = matches.nextDoc(); next < doc - leaf.docBase; next = matches.nextDoc()) {
        last = next;
      }
    }
    return leaf.docBase + last;
  }

  /// The document itself that a nested object belongs to.
  public static int rootOf(QueryContext context, int doc) throws IOException {
    LeafReaderContext leaf = leaf(context, doc);
    DocIdSetIterator roots = matches(context, NestedDocuments.roots(), leaf);
    return roots == null ? doc : leaf.docBase + roots.advance(doc - leaf.docBase);
  }

  /// How many objects of a path come before one in what holds it.
  ///
  /// @param first document of what holds it
  static int offset(QueryContext context, String path, int first, int doc) throws IOException {
    LeafReaderContext leaf = leaf(context, doc);
    DocIdSetIterator matches = matches(context, NestedDocuments.of(path), leaf);
    int count = 0;
    if (matches != null) {
      int end = doc - leaf.docBase;
      for (int next = matches.advance(Math.max(0, first - leaf.docBase));
          next < end;
          next = matches.nextDoc()) {
        count++;
      }
    }
    return count;
  }

  /// The path of a nested object.
  public static @Nullable String pathOf(QueryContext context, int doc) throws IOException {
    LeafReaderContext leaf = leaf(context, doc);
    Terms paths = leaf.reader().terms(MetadataFields.NESTED_PATH);
    if (paths == null) {
      return null;
    }
    TermsEnum each = paths.iterator();
    int inLeaf = doc - leaf.docBase;
    for (BytesRef path = each.next(); path != null; path = each.next()) {
      if (each.postings(null, PostingsEnum.NONE).advance(inLeaf) == inLeaf) {
        return path.utf8ToString();
      }
    }
    return null;
  }

  /// What holds a nested object: its document, or another object.
  ///
  /// @param known a document or object that holds it, with whatever lies between
  public static HitPlace holder(QueryContext context, int doc, String path, HitPlace known)
      throws IOException {
    String outer = context.mapping().nestedScope(path);
    if (outer == null || outer.equals(known.path())) {
      return known;
    }
    LeafReaderContext leaf = leaf(context, doc);
    DocIdSetIterator holders = matches(context, NestedDocuments.of(outer), leaf);
    int holder = holders == null ? doc : leaf.docBase + holders.advance(doc - leaf.docBase);
    return place(context, holder, holder(context, holder, outer, known), outer);
  }

  /// A nested object in what holds it.
  public static HitPlace place(QueryContext context, int doc, HitPlace inside, String path)
      throws IOException {
    int first = firstOf(context, inside.doc(), inside.path());
    int offset = offset(context, path, first, doc);
    String outer = inside.path();
    String field = outer == null ? path : path.substring(outer.length() + 1);
    return new HitPlace(
        doc,
        inside.root(),
        path,
        inside.id(),
        inside.source(),
        inside.stored(),
        identity(inside.nested(), field, offset));
  }

  private static LeafReaderContext leaf(QueryContext context, int doc) {
    List<LeafReaderContext> leaves = context.searcher().getIndexReader().leaves();
    return leaves.get(ReaderUtil.subIndex(doc, leaves));
  }

  private static @Nullable DocIdSetIterator matches(
      QueryContext context, Query query, LeafReaderContext leaf) throws IOException {
    Weight weight =
        context
            .searcher()
            .createWeight(context.searcher().rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    Scorer scorer = weight.scorer(leaf);
    return scorer == null ? null : scorer.iterator();
  }

  /// The object of a source that a nested one is; null when it is not there.
  ///
  /// @param identity as `_nested` shows it
  public static @Nullable JsonNode object(JsonNode source, JsonNode identity) {
    List<JsonNode> all = SourceValues.of(source, identity.path("field").asText());
    int offset = identity.path("offset").asInt();
    JsonNode found = offset < all.size() ? all.get(offset) : null;
    JsonNode deeper = identity.get("_nested");
    return found == null || deeper == null ? found : object(found, deeper);
  }

  /// The object at its full path, so that fields are found in it by their names.
  public static ObjectNode wrapped(String path, JsonNode object) {
    ObjectNode wrapped = Json.object();
    ObjectNode at = wrapped;
    String[] steps = path.split("\\.", -1);
    for (int i = 0; i < steps.length - 1; i++) {
      at = at.putObject(steps[i]);
    }
    at.set(steps[steps.length - 1], object);
    return wrapped;
  }

  /// Where an object is: within what holds it.
  ///
  /// @param outer identity of the nested object that holds it; null for the document
  static ObjectNode identity(@Nullable JsonNode outer, String field, int offset) {
    ObjectNode own = Json.object().put("field", field).put("offset", offset);
    if (!(outer instanceof ObjectNode known)) {
      return own;
    }
    ObjectNode whole = known.deepCopy();
    ObjectNode last = whole;
    while (last.get("_nested") instanceof ObjectNode deeper) {
      last = deeper;
    }
    last.set("_nested", own);
    return whole;
  }
}
