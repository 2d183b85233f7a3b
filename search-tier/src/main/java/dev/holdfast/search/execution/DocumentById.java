package dev.holdfast.search.execution;

import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.SourceReading;
import dev.holdfast.query.source.StoredDocument;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/// Documents by id in the commit being searched.
public final class DocumentById {
  private DocumentById() {}

  public static RealTimeDocument find(IndexReader reader, SourceReading sources, String id)
      throws IOException {
    BytesRef term = new BytesRef(id);
    for (LeafReaderContext leaf : reader.leaves()) {
      int doc = live(leaf.reader(), term);
      if (doc >= 0) {
        return read(leaf.reader(), sources, doc);
      }
    }
    return RealTimeDocument.missing();
  }

  /// @return -1 for none
  private static int live(LeafReader reader, BytesRef id) throws IOException {
    Terms terms = reader.terms(MetadataFields.ID);
    if (terms == null) {
      return -1;
    }
    TermsEnum found = terms.iterator();
    if (!found.seekExact(id)) {
      return -1;
    }
    Bits live = reader.getLiveDocs();
    PostingsEnum docs = found.postings(null, PostingsEnum.NONE);
    // Nested objects have the id too and lie before their document.
    int last = -1;
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (live == null || live.get(doc)) {
        last = doc;
      }
    }
    return last;
  }

  private static RealTimeDocument read(LeafReader reader, SourceReading sources, int doc)
      throws IOException {
    StoredDocument stored = new StoredDocument(true);
    reader.storedFields().document(doc, stored);
    return new RealTimeDocument(
        true,
        number(reader, MetadataFields.SEQ_NO, doc),
        number(reader, MetadataFields.PRIMARY_TERM, doc),
        number(reader, MetadataFields.VERSION, doc),
        stored.routing(),
        sources.read(reader, doc, stored.source()));
  }

  private static long number(LeafReader reader, String field, int doc) throws IOException {
    NumericDocValues values = DocValues.getNumeric(reader, field);
    return values.advanceExact(doc) ? values.longValue() : -1;
  }
}
