package dev.holdfast.query;

import dev.holdfast.document.FieldType;
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
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// Makes the last word of a query a prefix.
final class TrailingPrefix {
  private TrailingPrefix() {}

  /// Of words as clauses: the last one becomes a prefix query.
  static Query ofWords(QueryContext context, Query query) {
    Term only = word(query);
    if (only != null) {
      return prefix(context, only);
    }
    if (query instanceof BooleanQuery words) {
      List<BooleanClause> clauses = words.clauses();
      Term last = word(clauses.getLast().query());
      if (last != null) {
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        clauses.subList(0, clauses.size() - 1).forEach(builder::add);
        return builder.add(prefix(context, last), clauses.getLast().occur()).build();
      }
    }
    return query;
  }

  /// The word of a clause: one that is unfinished is not also misspelt.
  private static @Nullable Term word(Query query) {
    return switch (query) {
      case TermQuery plain -> plain.getTerm();
      case FuzzyQuery fuzzy -> fuzzy.getTerm();
      default -> null;
    };
  }

  /// As the field's kind looks up beginnings, where it has a way of its own.
  private static Query prefix(QueryContext context, Term term) {
    FieldType type = context.type(term.field());
    Query own =
        type == null
            ? null
            : type.prefixQuery(
                term.field(), term.text(), MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE);
    return own == null ? new PrefixQuery(term) : own;
  }

  /// Of a phrase: the last position holds the first `expansionsMax` terms of the reader that begin
  /// with its word.
  static Query ofPhrase(Query query, int expansionsMax, IndexReader reader) {
    if (query instanceof TermQuery word) {
      return new UnfinishedWord(word.getTerm(), expansionsMax);
    }
    if (query instanceof BooleanQuery ways) {
      // Synonyms of several words: one phrase for each way through them.
      BooleanQuery.Builder each = new BooleanQuery.Builder();
      for (BooleanClause way : ways) {
        each.add(ofPhrase(way.query(), expansionsMax, reader), way.occur());
      }
      return each.build();
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
