package dev.holdfast.query.clause.fulltext;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;

/// A phrase of one word that is not complete: the first words of the index that begin with it, each
/// scored as itself.
final class LastWordPrefixQuery extends PrefixQuery {
  LastWordPrefixQuery(Term term, int expansionsMax) {
    super(term, new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(expansionsMax));
  }

  @Override
  public String toString(String inField) {
    String text = "\"" + getPrefix().text() + "*\"";
    return getPrefix().field().equals(inField) ? text : getPrefix().field() + ":" + text;
  }
}
