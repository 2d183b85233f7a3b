package dev.holdfast.query.clause.fulltext;

import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.queries.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// A phrase whose last word is not complete: rewritten to the first terms of the reader that begin
/// with it.
public final class PhrasePrefixQuery extends Query {
  /// A term that ends a phrase, and what walks its places in a segment.
  private static final int EXPANSION_BYTES = 4 << 10;

  private final List<List<Term>> terms;
  private final List<Integer> positions;
  private final int slop;
  private final int expansionsMax;

  /// @param terms at each position; those at the last one are beginnings
  PhrasePrefixQuery(Term[][] terms, int[] positions, int slop, int expansionsMax) {
    this.terms = Arrays.stream(terms).map(List::of).toList();
    this.positions = Arrays.stream(positions).boxed().toList();
    this.slop = slop;
    this.expansionsMax = expansionsMax;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
    phrase.setSlop(slop);
    int last = terms.size() - 1;
    for (int i = 0; i < last; i++) {
      phrase.add(terms.get(i).toArray(Term[]::new), positions.get(i));
    }
    Set<Term> expanded = new LinkedHashSet<>();
    for (Term prefix : terms.get(last)) {
      expand(prefix, searcher.getIndexReader(), expanded);
    }
    if (!expanded.isEmpty()) {
      return phrase.add(expanded.toArray(Term[]::new), positions.get(last)).build();
    }
    Query none = new MatchNoDocsQuery("no term begins with the last word");
    // What leads up to it stays visible: highlighters rewrite over an empty reader.
    return last == 0
        ? none
        : new BooleanQuery.Builder().add(phrase.build(), Occur.MUST).add(none, Occur.MUST).build();
  }

  /// The same as spans, for those who look for places instead of documents: the last word is any
  /// that begins so.
  public SpanQuery spans() {
    SpanQuery[] words = new SpanQuery[terms.size()];
    for (int i = 0; i < words.length; i++) {
      boolean isLast = i == words.length - 1;
      SpanQuery[] alternatives =
          terms.get(i).stream()
              .map(term ->
                  isLast
                      ? new SpanMultiTermQueryWrapper<>(new PrefixQuery(term))
                      : new SpanTermQuery(term))
              .toArray(SpanQuery[]::new);
      words[i] = alternatives.length == 1 ? alternatives[0] : new SpanOrQuery(alternatives);
    }
    int gaps = positions.getLast() - positions.getFirst() - (words.length - 1);
    return words.length == 1 ? words[0] : new SpanNearQuery(words, slop + gaps, slop == 0);
  }

  private void expand(Term prefix, IndexReader reader, Set<Term> expanded) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms all = leaf.reader().terms(prefix.field());
      if (all == null) {
        continue;
      }
      TermsEnum walk = all.iterator();
      boolean isFound = walk.seekCeil(prefix.bytes()) != TermsEnum.SeekStatus.END;
      for (BytesRef term = isFound ? walk.term() : null;
          term != null && StringHelper.startsWith(term, prefix.bytes());
          term = walk.next()) {
        if (expanded.size() >= expansionsMax) {
          return;
        }
        StopSignal.pollForCancelling();
        WorkMemory.add(EXPANSION_BYTES);
        expanded.add(new Term(prefix.field(), BytesRef.deepCopyOf(term)));
      }
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    Term first = terms.getFirst().getFirst();
    if (visitor.acceptField(first.field())) {
      QueryVisitor complete = visitor.getSubVisitor(Occur.MUST, this);
      for (List<Term> same : terms.subList(0, terms.size() - 1)) {
        complete.getSubVisitor(Occur.SHOULD, this).consumeTerms(this, same.toArray(Term[]::new));
      }
      visitor.visitLeaf(this);
    }
  }

  @Override
  public String toString(String inField) {
    String field = terms.getFirst().getFirst().field();
    String words =
        Stream.iterate(0, i -> i < terms.size(), i -> i + 1)
            .map(i -> at(terms.get(i), i == terms.size() - 1 ? "*" : ""))
            .collect(Collectors.joining(" ", "\"", "\""));
    return (field.equals(inField) ? "" : field + ":") + words + (slop == 0 ? "" : "~" + slop);
  }

  private static String at(List<Term> terms, String end) {
    String joined = terms.stream().map(t -> t.text() + end).collect(Collectors.joining(" "));
    return terms.size() == 1 ? joined : "(" + joined + ")";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PhrasePrefixQuery that
        && terms.equals(that.terms)
        && positions.equals(that.positions)
        && slop == that.slop
        && expansionsMax == that.expansionsMax;
  }

  @Override
  public int hashCode() {
    return Objects.hash(terms, positions, slop, expansionsMax);
  }
}
