package dev.holdfast.query.clause.fulltext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.graph.GraphTokenStreamFiniteStrings;
import org.jspecify.annotations.Nullable;

/// A phrase whose tokens are a graph (synonyms of several words): a span for each stretch between
/// two points that every way passes, in a row. Scored as spans are, as Elasticsearch does.
final class GraphPhrase {
  private final String field;

  /// How many terms a beginning at the end stands for; 0 when the last word is complete.
  private final int expansionsMax;

  private GraphPhrase(String field, int expansionsMax) {
    this.field = field;
    this.expansionsMax = expansionsMax;
  }

  /// @return null when there is no token
  static @Nullable Query of(TokenStream tokens, String field, int expansionsMax)
      throws IOException {
    return new GraphPhrase(field, expansionsMax).inRow(new GraphTokenStreamFiniteStrings(tokens));
  }

  private @Nullable SpanQuery inRow(GraphTokenStreamFiniteStrings graph) throws IOException {
    List<SpanQuery> row = new ArrayList<>();
    int[] points = graph.articulationPoints();
    int start = 0;
    for (int i = 0; i <= points.length; i++) {
      int end = i < points.length ? points[i] : -1;
      boolean isLast = end < 0;
      SpanQuery stretch =
          graph.hasSidePath(start)
              ? anyOf(graph.getFiniteStrings(start, end), isLast)
              : anyOf(List.of(graph.getTerms(field, start)), isLast);
      if (stretch != null) {
        row.add(stretch);
      }
      start = end;
    }
    return switch (row.size()) {
      case 0 -> null;
      case 1 -> row.getFirst();
      default -> new SpanNearQuery(row.toArray(SpanQuery[]::new), 0, true);
    };
  }

  private @Nullable SpanQuery anyOf(Iterator<TokenStream> ways, boolean isLast) throws IOException {
    List<SpanQuery> each = new ArrayList<>();
    while (ways.hasNext()) {
      requireRoom(each.size());
      SpanQuery way = way(ways.next(), isLast);
      if (way != null) {
        each.add(way);
      }
    }
    return each.isEmpty() ? null : new SpanOrQuery(each.toArray(SpanQuery[]::new));
  }

  private SpanQuery anyOf(List<Term> terms, boolean isLast) {
    requireRoom(terms.size());
    SpanQuery[] each = terms.stream().map(term -> span(term, isLast)).toArray(SpanQuery[]::new);
    return each.length == 1 ? each[0] : new SpanOrQuery(each);
  }

  private static void requireRoom(int clauses) {
    if (clauses >= IndexSearcher.getMaxClauseCount()) {
      throw new IndexSearcher.TooManyClauses();
    }
  }

  /// The tokens of one way, with the gaps that stop words left.
  private @Nullable SpanQuery way(TokenStream tokens, boolean isLast) throws IOException {
    TermToBytesRefAttribute bytes = tokens.getAttribute(TermToBytesRefAttribute.class);
    PositionIncrementAttribute step = tokens.getAttribute(PositionIncrementAttribute.class);
    if (bytes == null || step == null) {
      return null;
    }
    SpanNearQuery.Builder row = new SpanNearQuery.Builder(field, true);
    Term last = null;
    int count = 0;
    tokens.reset();
    while (tokens.incrementToken()) {
      if (last != null) {
        row.addClause(new SpanTermQuery(last));
        count++;
        if (step.getPositionIncrement() > 1) {
          row.addGap(step.getPositionIncrement() - 1);
        }
      }
      last = new Term(field, BytesRef.deepCopyOf(bytes.getBytesRef()));
    }
    if (last == null) {
      return null;
    }
    SpanQuery end = span(last, isLast);
    return count == 0 ? end : row.addClause(end).build();
  }

  private SpanQuery span(Term term, boolean isLast) {
    return isLast && expansionsMax > 0
        ? new SpanMultiTermQueryWrapper<>(
            new PrefixQuery(
                term, new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(expansionsMax)))
        : new SpanTermQuery(term);
  }
}
