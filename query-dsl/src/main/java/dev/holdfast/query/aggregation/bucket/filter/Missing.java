package dev.holdfast.query.aggregation.bucket.filter;

import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.jspecify.annotations.Nullable;

/// The documents without a value in a field, in one bucket.
public record Missing(Label label, FieldRequest field, AggregationTree children)
    implements Aggregation {
  private static final String TYPE = "missing";

  public static Aggregation parse(Definition definition) {
    return new Missing(
        definition.label(), FieldRequest.parse(definition.body()), definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    return new SelectionCollecting(
        segment -> new SelectedDocuments[] {documents(bound, segment)},
        1,
        false,
        children.group(context),
        (counts, results) -> new SingleBucket(TYPE, children, counts[0], results[0]));
  }

  private static SelectedDocuments documents(
      @Nullable BoundField bound, LeafReaderContext segment) {
    if (bound == null) {
      return SelectedDocuments.all(segment.reader().maxDoc());
    }
    return bound.hasMissing()
        ? SelectedDocuments.none()
        : SelectedDocuments.except(() -> present(bound, segment.reader()));
  }

  private static DocIdSetIterator present(BoundField bound, LeafReader reader) throws IOException {
    return bound.kind().hasOrdinals()
        ? TermValues.of(reader, bound.field())
        : bound.kind() == ValuesKind.BINARY
            ? DocValues.getBinary(reader, bound.field())
            : DocValues.getSortedNumeric(reader, bound.field());
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
