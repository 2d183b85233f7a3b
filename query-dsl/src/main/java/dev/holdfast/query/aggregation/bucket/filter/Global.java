package dev.holdfast.query.aggregation.bucket.filter;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/// All documents of the indices searched, whatever the query; at the top level only.
public record Global(Label label, AggregationTree children) implements Aggregation {
  private static final String TYPE = "global";

  public static Aggregation parse(Definition definition) {
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
        Group group = children.group(context);
        boolean hasNested = context.mapping().hasNested();
        for (LeafReaderContext segment : context.searcher().getIndexReader().leaves()) {
          Leaf leaf = group.leaf(segment);
          if (leaf != null) {
            collectAll(leaf, segment.reader(), hasNested);
          }
        }
        int count = NestedDocuments.countRoots(context.searcher().getIndexReader());
        return new SingleBucket(TYPE, children, group.count(0, count), group.results(0));
      }
    };
  }

  private static void collectAll(Collecting.Leaf leaf, LeafReader reader, boolean hasNested)
      throws IOException {
    Bits live = reader.getLiveDocs();
    if (live == null && !hasNested) {
      if (!leaf.collectWhole(0)) {
        leaf.collectRange(0, reader.maxDoc(), 0);
      }
      return;
    }
    NumericDocValues roots = DocValues.getNumeric(reader, MetadataFields.PRIMARY_TERM);
    int[] docs = new int[Collecting.BLOCK];
    int count = 0;
    for (int doc = 0; doc < reader.maxDoc(); doc++) {
      StopSignal.pollForCancelling();
      if ((live == null || live.get(doc)) && roots.advanceExact(doc)) {
        docs[count++] = doc;
        if (count == docs.length) {
          leaf.collect(docs, 0, count, 0);
          count = 0;
        }
      }
    }
    if (count > 0) {
      leaf.collect(docs, 0, count, 0);
    }
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways();
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
