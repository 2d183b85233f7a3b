package dev.holdfast.query.aggregation.bucket.terms;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The values of a field that few documents have.
///
/// @param maxDocCount documents that a bucket has at most
public record RareTerms(
    Label label, FieldRequest field, long maxDocCount, TermFilter filter, AggregationTree children)
    implements Aggregation {
  private static final int MAX_DOC_COUNT_LIMIT = 100;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    long maxDocCount = body.longValue("max_doc_count", 1);
    ParsedField.check(
        maxDocCount > 0,
        body.context(),
        "max_doc_count",
        "["
            + "max_doc_count"
            + "] must be greater than 0. Found ["
            + maxDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    ParsedField.check(
        maxDocCount <= MAX_DOC_COUNT_LIMIT,
        body.context(),
        "max_doc_count",
        "[max_doc_count] must be smaller than "
            + MAX_DOC_COUNT_LIMIT
            + ". Found ["
            + maxDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    double precision = body.doubleValue("precision", 0.001);
    ParsedField.check(
        precision >= 0.00001,
        body.context(),
        "precision",
        "[precision] must be greater than 0.00001");
    return new RareTerms(
        definition.label(),
        field,
        maxDocCount,
        TermFilter.parse(body.take("include"), body.take("exclude")),
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    if (bound == null) {
      return new Unmapped(empty());
    }
    boolean hasTerms = bound.kind().hasOrdinals() && bound.kind() != ValuesKind.RANGE;
    if (!hasTerms && !bound.kind().isNumeric()) {
      throw field.unsupported(bound);
    }
    TermNumbers numbers = new TermNumbers(bound, filter, name(), context);
    return new KeyCollecting(
        numbers::open, children.group(context), (found, _, below) -> result(numbers, found, below));
  }

  private Partial result(TermNumbers numbers, List<KeyCollecting.Found> found, Group below)
      throws IOException {
    List<Bucket> rare = new ArrayList<>();
    Set<Object> frequent = new HashSet<>();
    for (KeyCollecting.Found each : found) {
      Object key = numbers.key(each.key());
      if (each.count() > maxDocCount) {
        frequent.add(key);
      } else {
        rare.add(each.bucket(key, below));
      }
    }
    return new RareTermsPartial(
        this, numbers.letter() + "rareterms", rare, frequent, numbers.field().shown());
  }

  @Override
  public Partial empty() {
    return new RareTermsPartial(
        this, "umrareterms", List.of(), Set.of(), DisplayFormat.plain(PlainFormat.TERM));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return RareTermsPartial.read(in, this);
  }
}
