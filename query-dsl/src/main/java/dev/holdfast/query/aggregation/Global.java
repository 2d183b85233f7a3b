package dev.holdfast.query.aggregation;

import dev.holdfast.query.QueryContext;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.jspecify.annotations.Nullable;

/// All documents of the indices searched, whatever the query; at the top level only.
record Global(Label label, AggregationTree children) implements Aggregation {
  private static final String TYPE = "global";

  static Aggregation parse(Definition definition) {
    return new Global(definition.label(), definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) {
    return new Collecting() {
      @Override
      public @Nullable Leaf leaf(LeafReaderContext segment) {
        return null;
      }

      @Override
      public Partial result(long bucket) throws IOException {
        AggregationCollector collector = children.bind(context);
        context.searcher().search(new MatchAllDocsQuery(), collector);
        int count = context.searcher().getIndexReader().numDocs();
        return new SingleBucket(TYPE, children, count, collector.results());
      }
    };
  }

  @Override
  public Partial empty() {
    return SingleBucket.empty(TYPE, children);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SingleBucket.read(in, TYPE, children);
  }
}
