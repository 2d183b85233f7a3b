package dev.holdfast.query.highlight;

import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;

/// A query with what it says of nested objects in place of the join to their documents: a
/// highlighter looks at values, wherever in a document they are.
final class Unnested {
  private Unnested() {}

  /// The query itself when it has no join.
  static Query of(Query query) {
    return switch (query) {
      case ToParentBlockJoinQuery join -> of(join.getChildQuery());
      case BoostQuery boosted -> {
        Query inner = of(boosted.getQuery());
        yield inner.equals(boosted.getQuery()) ? query : new BoostQuery(inner, boosted.getBoost());
      }
      case ConstantScoreQuery constant -> {
        Query inner = of(constant.getQuery());
        yield inner.equals(constant.getQuery()) ? query : new ConstantScoreQuery(inner);
      }
      case DisjunctionMaxQuery any -> {
        List<Query> inner = any.getDisjuncts().stream().map(Unnested::of).toList();
        yield inner.containsAll(any.getDisjuncts())
            ? query
            : new DisjunctionMaxQuery(inner, any.getTieBreakerMultiplier());
      }
      case BooleanQuery group -> group(group);
      default -> query;
    };
  }

  private static Query group(BooleanQuery group) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    all.setMinimumNumberShouldMatch(group.getMinimumNumberShouldMatch());
    boolean isSame = true;
    for (BooleanClause clause : group.clauses()) {
      Query inner = of(clause.query());
      isSame &= inner.equals(clause.query());
      all.add(inner, clause.occur());
    }
    return isSame ? group : all.build();
  }
}
