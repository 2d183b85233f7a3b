package dev.holdfast.query.aggregation.bucket.terms;

import dev.holdfast.document.TermValues;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.SegmentMemory;
import dev.holdfast.query.aggregation.column.TermColumn;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.jspecify.annotations.Nullable;

/// `terms` of a keyword or address field at work on one shard. Documents are counted by the
/// ordinals of their segment; a term gets its number on the shard when it is first seen in a
/// segment, or at the segment's end where only counts are wanted, so that each is looked up once a
/// segment.
final class KeywordTerms implements Collecting {
  /// Stands for the number, or the bucket, of a term that was not looked up yet.
  private static final int UNSEEN = -1;

  /// Stands for the number of a term that the request leaves out.
  private static final int REFUSED = -2;

  /// What a term takes beside its bytes: its place in the table, and its counts.
  private static final int TERM_BYTES = 40;

  /// The first block that holds terms' bytes, taken with the first term.
  private static final int BLOCK_BYTES = ByteBlockPool.BYTE_BLOCK_SIZE;

  /// Documents for each term of a segment from which on the inverted index counts sooner than they
  /// do.
  private static final int POSTINGS_WORTH = 16;

  private final Terms request;
  private final BoundField field;
  private final QueryContext context;
  private final Group children;
  private final TermFilter.@Nullable Terms accepted;
  private final SegmentMemory countMemory;
  private final SegmentMemory numberMemory;

  /// The terms by number.
  private final BytesRefHash terms = new BytesRefHash();

  /// The buckets for sub-aggregations, by parent and number of the term.
  private final BucketOrdinals ordinals;

  /// Documents of parent 0, the only one at the top, by number of the term.
  private long[] countsOfFirst = new long[16];

  /// Documents by bucket.
  private long[] counts = new long[16];

  /// The buckets of parent 0, by number of the term.
  private int[] firstOrdinals = new int[0];

  private long[] buckets = new long[BLOCK];
  private int[] childDocs = new int[BLOCK];
  private @Nullable Values last;

  KeywordTerms(Terms request, BoundField field, QueryContext context, Group children) {
    this.request = request;
    this.field = field;
    this.context = context;
    this.children = children;
    this.ordinals = new BucketOrdinals(children.memory());
    this.countMemory = new SegmentMemory(children.memory());
    this.numberMemory = new SegmentMemory(children.memory());
    request.filter().checkExpressions(field, request.name());
    this.accepted = request.filter().terms(field.shown().format(), context.memory());
  }

  @Override
  public boolean needsScores() {
    return children.needsScores();
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    flush();
    TermColumn column = TermColumn.open(segment.reader(), field);
    if (column == null) {
      return null;
    }
    Values leaf = new Values(segment.reader(), column, children.leaf(segment));
    last = leaf;
    return leaf;
  }

  @Override
  public Partial result(long bucket) throws IOException {
    flush();
    TopBuckets top = new TopBuckets(request, children);
    Set<BytesRef> seen = request.minDocCount() == 0 ? new HashSet<>() : null;
    BytesRef scratch = new BytesRef();
    if (bucket == 0) {
      for (int term = 0; term < terms.size(); term++) {
        long count = term < countsOfFirst.length ? countsOfFirst[term] : 0;
        if (count > 0) {
          // No bucket where the sub-aggregations had nothing to see in the segments of the term.
          int known = term < firstOrdinals.length ? firstOrdinals[term] : UNSEEN;
          int ordinal = known == UNSEEN ? Integer.MAX_VALUE : known;
          offer(top, ordinal, term, children.count(ordinal, count), seen, scratch);
        }
      }
    } else {
      for (int ordinal : ordinals.ordinals(bucket)) {
        long count = children.count(ordinal, counts[ordinal]);
        offer(top, ordinal, (int) ordinals.value(ordinal), count, seen, scratch);
      }
    }
    if (seen != null) {
      offerUnseen(top, seen);
    }
    return top.finish(TermsPartial.STRINGS, field.shown());
  }

  private void offer(
      TopBuckets top,
      int ordinal,
      int term,
      long count,
      @Nullable Set<BytesRef> seen,
      BytesRef scratch)
      throws IOException {
    if (seen == null && top.isHopeless(count)) {
      top.pass(count);
      return;
    }
    BytesRef key = BytesRef.deepCopyOf(terms.get(term, scratch));
    if (seen != null) {
      seen.add(key);
    }
    top.offer(ordinal, key, count);
  }

  /// `min_doc_count: 0` asks for terms of documents that did not match, too.
  private void offerUnseen(TopBuckets top, Set<BytesRef> seen) throws IOException {
    BytesRef missing = field.hasMissing() ? field.missingTerm() : null;
    if (missing != null && (accepted == null || accepted.accepts(missing)) && seen.add(missing)) {
      top.offer(Integer.MAX_VALUE, missing, 0);
    }
    for (LeafReaderContext segment : context.searcher().getIndexReader().leaves()) {
      SortedSetDocValues values = TermValues.of(segment.reader(), field.field());
      for (long ordinal = 0; ordinal < values.getValueCount(); ordinal++) {
        StopSignal.pollForCancelling();
        BytesRef term = values.lookupOrd(ordinal);
        if ((accepted == null || accepted.accepts(term)) && !seen.contains(term)) {
          BytesRef key = BytesRef.deepCopyOf(term);
          seen.add(key);
          top.offer(Integer.MAX_VALUE, key, 0);
        }
      }
    }
  }

  private void flush() throws IOException {
    Values leaf = last;
    last = null;
    if (leaf != null) {
      leaf.flush();
    }
  }

  /// The number of a term on the shard, or [#REFUSED].
  private int number(BytesRef term) {
    if (accepted != null && !accepted.accepts(term)) {
      return REFUSED;
    }
    if (terms.size() == 0) {
      children.memory().add(BLOCK_BYTES);
    }
    int number = terms.add(term);
    if (number < 0) {
      return -number - 1;
    }
    children.memory().add(TERM_BYTES + term.length);
    return number;
  }

  private void addToFirst(int term, long more) {
    if (term >= countsOfFirst.length) {
      countsOfFirst = ArrayUtil.grow(countsOfFirst, term + 1);
    }
    countsOfFirst[term] += more;
  }

  /// The bucket of a term for sub-aggregations.
  private int ordinal(long parent, int term) {
    if (parent == 0) {
      if (term >= firstOrdinals.length) {
        int old = firstOrdinals.length;
        firstOrdinals = ArrayUtil.grow(firstOrdinals, term + 1);
        Arrays.fill(firstOrdinals, old, firstOrdinals.length, UNSEEN);
      }
      if (firstOrdinals[term] == UNSEEN) {
        firstOrdinals[term] = ordinals.add(0, term);
        ensure(firstOrdinals[term]);
      }
      return firstOrdinals[term];
    }
    int ordinal = ordinals.add(parent, term);
    ensure(ordinal);
    return ordinal;
  }

  private void ensure(int ordinal) {
    if (ordinal >= counts.length) {
      counts = ArrayUtil.grow(counts, ordinal + 1);
    }
  }

  private final class Values implements Leaf {
    private final LeafReader reader;
    private final TermColumn column;
    private final @Nullable Leaf below;
    private int[] segmentCounts = new int[0];
    private int[] numbers = new int[0];

    Values(LeafReader reader, TermColumn column, @Nullable Leaf below) {
      this.reader = reader;
      this.column = column;
      this.below = below;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      column.read(docs, from, to);
      if (bucket == 0) {
        countFirst();
      }
      if (bucket != 0 || below != null) {
        collectBelow(docs, from, bucket);
      }
    }

    @Override
    public void collect(int[] docs, long[] parents, int count) throws IOException {
      column.readPairs(docs, count);
      room();
      int kept = 0;
      for (int i = 0; i < column.count; i++) {
        long parent = parents[column.origins[i]];
        int term = number(column.values[i]);
        if (term == REFUSED) {
          continue;
        }
        if (parent == 0) {
          addToFirst(term, 1);
        }
        kept = keep(docs[column.origins[i]], parent, term, kept);
      }
      BucketFeed.feed(below, childDocs, buckets, kept);
    }

    private void collectBelow(int[] docs, int from, long bucket) throws IOException {
      room();
      int kept = 0;
      for (int i = 0; i < column.count; i++) {
        int term = number(column.values[i]);
        if (term != REFUSED) {
          kept = keep(docs[from + column.origins[i]], bucket, term, kept);
        }
      }
      BucketFeed.feed(below, childDocs, buckets, kept);
    }

    private int keep(int doc, long parent, int term, int kept) {
      int ordinal = ordinal(parent, term);
      counts[ordinal]++;
      childDocs[kept] = doc;
      buckets[kept] = ordinal;
      return kept + 1;
    }

    @Override
    public boolean collectWhole(long bucket) throws IOException {
      return bucket == 0 && below == null && countPostings();
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      if (below != null) {
        below.setScorer(scorer);
      }
    }

    /// Few terms over a whole segment: the inverted index knows how many documents each has.
    private boolean countPostings() throws IOException {
      org.apache.lucene.index.Terms postings = reader.terms(field.field());
      if (postings == null
          || field.hasMissing()
          || postings.size() != column.ordinals()
          || postings.size() * POSTINGS_WORTH > reader.maxDoc()) {
        return false;
      }
      TermsEnum each = postings.iterator();
      for (BytesRef term = each.next(); term != null; term = each.next()) {
        int number = KeywordTerms.this.number(term);
        if (number != REFUSED) {
          addToFirst(number, each.docFreq());
        }
      }
      return true;
    }

    private void countFirst() {
      if (segmentCounts.length == 0) {
        countMemory.need(column.ordinals() * Integer.BYTES);
        segmentCounts = new int[Math.toIntExact(column.ordinals())];
      }
      int[] into = segmentCounts;
      long[] values = column.values;
      for (int i = 0; i < column.count; i++) {
        into[(int) values[i]]++;
      }
    }

    void flush() throws IOException {
      for (int ordinal = 0; ordinal < segmentCounts.length; ordinal++) {
        if (segmentCounts[ordinal] > 0) {
          int number =
              numbers.length > 0 && numbers[ordinal] != UNSEEN
                  ? numbers[ordinal]
                  : KeywordTerms.this.number(column.term(ordinal));
          if (number != REFUSED) {
            addToFirst(number, segmentCounts[ordinal]);
          }
        }
      }
      segmentCounts = new int[0];
    }

    private int number(long segmentOrdinal) throws IOException {
      if (numbers.length == 0) {
        numberMemory.need(column.ordinals() * Integer.BYTES);
        numbers = new int[Math.toIntExact(column.ordinals())];
        Arrays.fill(numbers, UNSEEN);
      }
      int number = numbers[(int) segmentOrdinal];
      if (number == UNSEEN) {
        number = KeywordTerms.this.number(column.term(segmentOrdinal));
        numbers[(int) segmentOrdinal] = number;
      }
      return number;
    }

    private void room() {
      if (buckets.length < column.values.length) {
        buckets = new long[column.values.length];
        childDocs = new int[column.values.length];
      }
    }
  }
}
