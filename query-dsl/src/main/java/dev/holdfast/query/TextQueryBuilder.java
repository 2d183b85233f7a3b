package dev.holdfast.query;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.QueryBuilder;

/// Lucene's builder of queries from tokens, with fuzzy terms.
final class TextQueryBuilder extends QueryBuilder {
  private final MatchOptions options;

  TextQueryBuilder(Analyzer analyzer, MatchOptions options) {
    super(analyzer);
    this.options = options;
    setAutoGenerateMultiTermSynonymsPhraseQuery(options.withSynonymPhrases());
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
