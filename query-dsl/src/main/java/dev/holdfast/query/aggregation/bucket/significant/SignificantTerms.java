package dev.holdfast.query.aggregation.bucket.significant;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.column.TermKeys;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// The values of a field that are more frequent among the documents found than among all.
public record SignificantTerms(
    Label label, FieldRequest field, TermFilter filter, SignificantRequest request)
    implements Aggregation {

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    TermFilter filter = TermFilter.parse(body.take("include"), body.take("exclude"));
    body.choice("execution_hint", List.of("map", "global_ordinals"));
    return new SignificantTerms(
        definition.label(), field, filter, SignificantRequest.parse(definition, "terms"));
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (!bound.kind().hasOrdinals() && !bound.kind().isNumeric()) {
      throw field.unsupported(bound);
    }
    TermNumbers numbers = new TermNumbers(bound, filter, name(), context);
    Background background = Background.of(request.background(), context);
    return new KeyCollecting(
        numbers::open,
        request.children().group(context),
        (found, documents, below) -> {
          List<SignificantPartial.Term> terms = new ArrayList<>(found.size());
          for (KeyCollecting.Found each : found) {
            Object key = numbers.key(each.key());
            if (each.count() >= request.shardMinDocCount()) {
              terms.add(
                  new SignificantPartial.Term(
                      each.ordinal(),
                      new Bucket(key, each.count(), Results.NONE),
                      background.count(having(key, bound, context))));
            }
          }
          return SignificantPartial.best(
              request,
              "sig" + numbers.letter() + "terms",
              terms,
              documents,
              background.size(),
              bound.shown(),
              below);
        });
  }

  private Query having(Object key, BoundField bound, QueryContext context) {
    JsonNode value =
        key instanceof Long number && bound.kind() == ValuesKind.LONG
            ? LongNode.valueOf(number)
            : TextNode.valueOf(TermKeys.text(key, bound.shown()));
    FieldType type = Objects.requireNonNull(context.type(field.field()));
    return type.termQuery(bound.field(), value, context.nowMillis());
  }

  /// The documents that found ones are compared with, on one shard.
  record Background(QueryContext context, @Nullable Query filter, long size) {
    static Background of(@Nullable QueryClause filter, QueryContext context) throws IOException {
      if (filter == null) {
        int documents = NestedDocuments.countRoots(context.searcher().getIndexReader());
        return new Background(context, null, documents);
      }
      Query query = context.overRoots(filter.toLucene(context));
      return new Background(context, query, context.searcher().count(query));
    }

    long count(Query term) throws IOException {
      return filter == null
          ? context.searcher().count(term)
          : context
              .searcher()
              .count(
                  new BooleanQuery.Builder()
                      .add(term, Occur.FILTER)
                      .add(filter, Occur.FILTER)
                      .build());
    }
  }

  @Override
  public Partial empty() {
    return new SignificantPartial(
        request, "sigsterms", List.of(), 0, 0, DisplayFormat.plain(PlainFormat.TERM));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SignificantPartial.read(in, request);
  }

  static @Nullable QueryClause background(Definition definition) {
    JsonNode filter = definition.body().take("background_filter");
    return filter == null ? null : definition.queries().apply(filter);
  }
}
