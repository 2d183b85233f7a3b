package dev.holdfast.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// Makes the last word of a query a prefix.
final class TrailingPrefix {
  private TrailingPrefix() {}

  /// Of words as clauses: the last one becomes a prefix query.
  static Query ofWords(Query query) {
    if (query instanceof TermQuery word) {
      return new PrefixQuery(word.getTerm());
    }
    if (query instanceof BooleanQuery words
        && words.clauses().getLast().query() instanceof TermQuery last) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      List<BooleanClause> clauses = words.clauses();
      clauses.subList(0, clauses.size() - 1).forEach(builder::add);
      builder.add(new PrefixQuery(last.getTerm()), clauses.getLast().occur());
      return builder.build();
    }
    return query;
  }

  /// Of a phrase: the last position holds the first `expansionsMax` terms of the reader that begin
  /// with its word.
  static Query ofPhrase(Query query, int expansionsMax, IndexReader reader) {
    if (query instanceof TermQuery word) {
      return new PrefixQuery(word.getTerm());
    }
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
    Term[][] terms;
    int[] positions;
    if (query instanceof PhraseQuery plain) {
      phrase.setSlop(plain.getSlop());
      terms = Arrays.stream(plain.getTerms()).map(t -> new Term[] {t}).toArray(Term[][]::new);
      positions = plain.getPositions();
    } else if (query instanceof MultiPhraseQuery multi) {
      phrase.setSlop(multi.getSlop());
      terms = multi.getTermArrays();
      positions = multi.getPositions();
    } else {
      return query;
    }
    int last = terms.length - 1;
    for (int i = 0; i < last; i++) {
      phrase.add(terms[i], positions[i]);
    }
    Collection<Term> expanded = expand(terms[last], expansionsMax, reader);
    if (expanded.isEmpty()) {
      return new MatchNoDocsQuery("no term begins with the last word");
    }
    return phrase.add(expanded.toArray(Term[]::new), positions[last]).build();
  }

  private static Collection<Term> expand(Term[] prefixes, int expansionsMax, IndexReader reader) {
    TreeSet<Term> expanded = new TreeSet<>();
    try {
      for (Term prefix : prefixes) {
        for (LeafReaderContext leaf : reader.leaves()) {
          Terms terms = leaf.reader().terms(prefix.field());
          if (terms != null) {
            expand(prefix, terms.iterator(), expansionsMax, expanded);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ArrayList<>(expanded).subList(0, Math.min(expanded.size(), expansionsMax));
  }

  private static void expand(Term prefix, TermsEnum terms, int expansionsMax, Set<Term> expanded)
      throws IOException {
    if (terms.seekCeil(prefix.bytes()) == TermsEnum.SeekStatus.END) {
      return;
    }
    BytesRef term = terms.term();
    for (int i = 0; i < expansionsMax && term != null; i++) {
      if (!StringHelper.startsWith(term, prefix.bytes())) {
        return;
      }
      expanded.add(new Term(prefix.field(), BytesRef.deepCopyOf(term)));
      term = terms.next();
    }
  }
}
