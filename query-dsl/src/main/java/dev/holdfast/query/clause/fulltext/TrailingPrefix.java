package dev.holdfast.query.clause.fulltext;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
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

  /// Of a phrase: its last position holds beginnings of words.
  static Query ofPhrase(Query query, int expansionsMax) {
    return switch (query) {
      case TermQuery word -> new LastWordPrefixQuery(word.getTerm(), expansionsMax);
      case SynonymQuery same ->
          new PhrasePrefixQuery(
              new Term[][] {same.getTerms().toArray(Term[]::new)}, new int[] {0}, 0, expansionsMax);
      case PhraseQuery plain ->
          new PhrasePrefixQuery(
              Arrays.stream(plain.getTerms()).map(term -> new Term[] {term}).toArray(Term[][]::new),
              plain.getPositions(),
              plain.getSlop(),
              expansionsMax);
      case MultiPhraseQuery multi ->
          new PhrasePrefixQuery(
              multi.getTermArrays(), multi.getPositions(), multi.getSlop(), expansionsMax);
      case BooleanQuery ways -> {
        // Synonyms of several words with slop: one phrase for each way through them.
        BooleanQuery.Builder each = new BooleanQuery.Builder();
        for (BooleanClause way : ways) {
          each.add(ofPhrase(way.query(), expansionsMax), way.occur());
        }
        yield each.build();
      }
      default -> query;
    };
  }
}
