package dev.holdfast.document;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// How a document with `nested` objects lies in Lucene: one block, each nested object a document of
/// its own before the one that holds it, the document itself last. Nested ones carry the `_id` of
/// the whole and the path of their object in `_nested_path`; only the last has a sequence number,
/// primary term, version and `_source`.
public final class NestedDocuments {
  private NestedDocuments() {}

  /// Documents themselves, without their nested objects. Where a segment has none of those, Lucene
  /// rewrites it to all documents.
  public static Query roots() {
    return new FieldExistsQuery(MetadataFields.PRIMARY_TERM);
  }

  /// How many documents a reader has, without their nested objects.
  public static int countRoots(IndexReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      if (leaf.reader().terms(MetadataFields.NESTED_PATH) != null) {
        return new IndexSearcher(reader).count(roots());
      }
    }
    return reader.numDocs();
  }

  /// The nested objects of a path; documents themselves for null. As the parents of a block join
  /// and as the filter of its children.
  ///
  /// @param path what [Mapping#nestedScope] answers, or the path of a nested object
  public static Query of(@Nullable String path) {
    return path == null ? roots() : new TermQuery(new Term(MetadataFields.NESTED_PATH, path));
  }
}
