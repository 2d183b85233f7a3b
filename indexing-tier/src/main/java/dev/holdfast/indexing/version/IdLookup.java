package dev.holdfast.indexing.version;

import dev.holdfast.document.MetadataFields;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Finds documents by id in a reader, newest segments first. Made for one batch of look-ups, used
/// by one thread; ids that come in ascending order are found fastest.
public final class IdLookup {
  private final Leaf[] leaves;

  /// A live document.
  ///
  /// @param document its number in the whole reader
  public record Found(int document, long seqNo, long primaryTerm, long version) {}

  /// @param reader must stay open while this is used
  public IdLookup(DirectoryReader reader) throws IOException {
    List<LeafReaderContext> contexts = reader.leaves();
    leaves = new Leaf[contexts.size()];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = new Leaf(contexts.get(leaves.length - 1 - i));
    }
  }

  /// The live document of that id, or null.
  public @Nullable Found find(String id) throws IOException {
    BytesRef term = new BytesRef(id);
    for (Leaf leaf : leaves) {
      Found found = leaf.find(term);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static final class Leaf {
    private final LeafReader reader;
    private final int docBase;
    private final @Nullable TermsEnum ids;
    private final @Nullable Bits liveDocs;
    private @Nullable PostingsEnum postings;
    private @Nullable Numbers numbers;

    Leaf(LeafReaderContext context) throws IOException {
      reader = context.reader();
      docBase = context.docBase;
      Terms terms = reader.terms(MetadataFields.ID);
      ids = terms == null ? null : terms.iterator();
      liveDocs = reader.getLiveDocs();
    }

    @Nullable Found find(BytesRef term) throws IOException {
      if (ids == null || !ids.seekExact(term)) {
        return null;
      }
      PostingsEnum documents = ids.postings(postings, PostingsEnum.NONE);
      postings = documents;
      // Nested objects have the id too and lie before their document.
      int last = -1;
      int document = documents.nextDoc();
      while (document != DocIdSetIterator.NO_MORE_DOCS) {
        if (liveDocs == null || liveDocs.get(document)) {
          last = document;
        }
        document = documents.nextDoc();
      }
      return last < 0 ? null : found(last);
    }

    /// Doc values only go forward: ids in ascending order mostly do too, so they are rarely opened
    /// again.
    private Found found(int document) throws IOException {
      Numbers now = numbers;
      if (now == null || now.seqNos.docID() > document) {
        now =
            new Numbers(
                values(MetadataFields.SEQ_NO),
                values(MetadataFields.PRIMARY_TERM),
                values(MetadataFields.VERSION));
        numbers = now;
      }
      return new Found(
          docBase + document,
          value(now.seqNos, document),
          value(now.primaryTerms, document),
          value(now.versions, document));
    }

    private NumericDocValues values(String field) throws IOException {
      NumericDocValues values = reader.getNumericDocValues(field);
      if (values == null) {
        throw new IOException("a segment lacks a metadata field [field=" + field + "]");
      }
      return values;
    }

    private static long value(NumericDocValues values, int document) throws IOException {
      if (!values.advanceExact(document)) {
        throw new IOException("a document lacks a metadata field [document=" + document + "]");
      }
      return values.longValue();
    }

    private record Numbers(
        NumericDocValues seqNos, NumericDocValues primaryTerms, NumericDocValues versions) {}
  }
}
