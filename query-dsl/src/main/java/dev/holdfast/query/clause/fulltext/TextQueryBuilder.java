package dev.holdfast.query.clause.fulltext;

import dev.holdfast.query.clause.term.Fuzziness;
import java.io.IOException;
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
  private final MatchOptions options;
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
    Query query = fuzziness.query(term.field(), term.text(), options.fuzzyRewrite());
    return boost == 1 ? query : new BoostQuery(query, boost);
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
