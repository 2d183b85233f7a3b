package dev.holdfast.query.aggregation.bucket.filter;

import dev.holdfast.query.QueryContext;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/// The documents of a query, as a filter over documents that come from elsewhere.
public final class Selection {
  private final Weight weight;
  private final boolean isAll;

  public Selection(Query query, QueryContext context) throws IOException {
    Query rewritten = context.searcher().rewrite(query);
    this.isAll = rewritten instanceof MatchAllDocsQuery;
    this.weight = context.searcher().createWeight(rewritten, ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  public SelectedDocuments documents(LeafReaderContext segment) throws IOException {
    int maxDoc = segment.reader().maxDoc();
    if (isAll) {
      return SelectedDocuments.all(maxDoc);
    }
    ScorerSupplier supplier = weight.scorerSupplier(segment);
    return supplier == null
        ? SelectedDocuments.none()
        : SelectedDocuments.of(() -> supplier.get(maxDoc).iterator(), () -> weight.count(segment));
  }
}
