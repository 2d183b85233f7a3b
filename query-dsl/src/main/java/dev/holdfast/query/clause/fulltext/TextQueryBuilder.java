package dev.holdfast.query.clause.fulltext;

import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;

/// Lucene's builder of queries from tokens, with fuzzy terms.
final class TextQueryBuilder extends QueryBuilder {
  /// Different words that are searched with edits: each is an automaton a segment, whose making
  /// takes up to a millisecond and asks nobody whether it shall go on.
  private static final int FUZZY_WORDS_MAX = 4096;

  private final MatchOptions options;
  private final Set<String> fuzzyWords = new HashSet<>();
  private boolean isUnfinished;

  TextQueryBuilder(Analyzer analyzer, MatchOptions options) {
    super(analyzer);
    this.options = options;
    setAutoGenerateMultiTermSynonymsPhraseQuery(options.withSynonymPhrases());
  }

  /// A phrase whose last word may stand for others that begin with it: ready for
  /// [TrailingPrefix#ofPhrase].
  @Nullable Query createUnfinishedPhrase(String field, String text, int slop) {
    isUnfinished = true;
    try {
      return createPhraseQuery(field, text, slop);
    } finally {
      isUnfinished = false;
    }
  }

  @Override
  protected @Nullable Query createFieldQuery(
      TokenStream source, Occur operator, String field, boolean isQuoted, int slop) {
    return super.createFieldQuery(new CountedTokens(source), operator, field, isQuoted, slop);
  }

  @Override
  protected @Nullable Query analyzeGraphPhrase(TokenStream source, String field, int slop)
      throws IOException {
    if (slop > 0) {
      return super.analyzeGraphPhrase(source, field, slop);
    }
    source.reset();
    return GraphPhrase.of(source, field, isUnfinished ? options.expansionsMax() : 0);
  }

  @Override
  protected Query newTermQuery(Term term, float boost) {
    Fuzziness fuzziness = options.fuzziness();
    if (fuzziness == null) {
      return super.newTermQuery(term, boost);
    }
    if (fuzziness.edits(term.text().length()) > 0) {
      countFuzzy(term.text());
    }
    Query query = fuzziness.query(term.field(), term.text(), options.fuzzyRewrite());
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  /// @throws Refusal `too_many_nested_clauses` when there are more than a query may have
  private void countFuzzy(String word) {
    fuzzyWords.add(word);
    if (fuzzyWords.size() > FUZZY_WORDS_MAX) {
      throw new Refusal(
          ErrorType.TOO_MANY_NESTED_CLAUSES,
          "a query may have ["
              + FUZZY_WORDS_MAX
              + "] different words with [fuzziness]: leave it out, or split the text");
    }
  }

  @Override
  protected Query newSynonymQuery(String field, TermAndBoost[] terms) {
    if (options.fuzziness() == null) {
      return super.newSynonymQuery(field, terms);
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (TermAndBoost term : terms) {
      any.add(newTermQuery(new Term(field, term.term()), term.boost()), Occur.SHOULD);
    }
    return any.build();
  }
}
