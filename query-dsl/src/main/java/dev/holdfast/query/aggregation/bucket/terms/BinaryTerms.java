package dev.holdfast.query.aggregation.bucket.terms;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// `terms` of a `binary` field with doc values at work on one shard: its values have no ordinals,
/// each gets a number when it is first seen.
final class BinaryTerms {
  /// What a value takes beside its bytes.
  private static final long TERM_BYTES = 96;

  private final Terms request;
  private final BoundField field;
  private final QueryContext context;
  private final Group children;
  private final TermFilter.@Nullable Terms accepted;
  private final @Nullable BytesRef missing;
  private final Map<BytesRef, Integer> numbers = new HashMap<>();
  private final List<BytesRef> terms = new ArrayList<>();

  private BinaryTerms(Terms request, BoundField field, QueryContext context, Group children) {
    this.request = request;
    this.field = field;
    this.context = context;
    this.children = children;
    this.accepted = request.filter().terms(field.shown().format(), context.memory());
    JsonNode given = request.field().missing();
    this.missing = given == null ? null : field.shown().format().toTerm(given);
  }

  static Collecting of(Terms request, BoundField field, QueryContext context, Group children) {
    BinaryTerms terms = new BinaryTerms(request, field, context, children);
    return new KeyCollecting(terms::open, children, (found, _, _) -> terms.result(found));
  }

  private KeyCollecting.Keys open(LeafReaderContext segment) throws IOException {
    BinaryDocValues values = DocValues.getBinary(segment.reader(), field.field());
    return (doc, into) -> {
      BytesRef value = values.advanceExact(doc) ? values.binaryValue() : missing;
      if (value != null && (accepted == null || accepted.accepts(value))) {
        into.add(number(value));
      }
    };
  }

  private int number(BytesRef value) {
    Integer known = numbers.get(value);
    if (known != null) {
      return known;
    }
    children.memory().add(TERM_BYTES + value.length);
    BytesRef kept = BytesRef.deepCopyOf(value);
    numbers.put(kept, terms.size());
    terms.add(kept);
    return terms.size() - 1;
  }

  private Partial result(List<KeyCollecting.Found> found) throws IOException {
    TopBuckets top = new TopBuckets(request, children);
    Set<BytesRef> seen = new HashSet<>();
    for (KeyCollecting.Found one : found) {
      BytesRef term = terms.get((int) one.key());
      seen.add(term);
      top.offer(one.ordinal(), term, one.count());
    }
    if (request.minDocCount() == 0) {
      offerUnseen(top, seen);
    }
    return top.finish(TermsPartial.STRINGS, field.shown());
  }

  /// `min_doc_count: 0` asks for values of documents that did not match, too.
  private void offerUnseen(TopBuckets top, Set<BytesRef> seen) throws IOException {
    if (missing != null) {
      offerUnseen(top, seen, missing);
    }
    for (LeafReaderContext segment : context.searcher().getIndexReader().leaves()) {
      BinaryDocValues values = DocValues.getBinary(segment.reader(), field.field());
      while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        StopSignal.pollForCancelling();
        offerUnseen(top, seen, values.binaryValue());
      }
    }
  }

  private void offerUnseen(TopBuckets top, Set<BytesRef> seen, BytesRef value) throws IOException {
    if ((accepted == null || accepted.accepts(value)) && !seen.contains(value)) {
      BytesRef term = terms.get(number(value));
      seen.add(term);
      top.offer(Integer.MAX_VALUE, term, 0);
    }
  }
}
