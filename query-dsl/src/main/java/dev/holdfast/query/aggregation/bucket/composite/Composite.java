package dev.holdfast.query.aggregation.bucket.composite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The combinations of values of several sources, in order, a page at a time.
///
/// @param after the last key of the page before; null for the first page
public record Composite(
    Label label,
    List<CompositeSource> sources,
    int size,
    @Nullable ObjectNode after,
    AggregationTree children)
    implements Aggregation {
  private static final int SIZE_DEFAULT = 10;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    JsonNode list = body.required("sources");
    if (!list.isArray() || list.isEmpty()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "Failed to build [composite] after last required field arrived",
          Refusal.badArgument("Composite [sources] cannot be null or empty"));
    }
    List<CompositeSource> sources = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode each : list) {
      CompositeSource source = CompositeSource.parse(each);
      if (!names.add(source.name())) {
        throw Refusal.badArgument(
            "Composite source names must be unique, found duplicates: [" + source.name() + "]");
      }
      sources.add(source);
    }
    int size = body.integer("size", SIZE_DEFAULT);
    if (size < 1) {
      throw Refusal.badArgument("[size] must be greater than 0. Found [" + size + "]");
    }
    JsonNode given = body.take("after");
    // A key may be null.
    JsonObject after = given == null ? null : JsonObject.of("composite", given);
    if (after != null) {
      for (CompositeSource source : sources) {
        if (after.take(source.name()) == null) {
          throw Refusal.badArgument("Missing value for [after." + source.name() + "]");
        }
      }
      after.done();
    }
    return new Composite(
        definition.label(),
        List.copyOf(sources),
        size,
        after == null ? null : after.node(),
        definition.children());
  }

  Comparator<List<@Nullable Object>> order() {
    return (a, b) -> {
      for (int i = 0; i < sources.size(); i++) {
        int order = sources.get(i).compare(a.get(i), b.get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    List<@Nullable BoundField> fields = new ArrayList<>();
    List<DisplayFormat> shown = new ArrayList<>();
    boolean isEmpty = false;
    for (CompositeSource source : sources) {
      BoundField bound = source.field().bind(context, ValuesKind.KEYWORD);
      if (bound != null && !source.takes(bound.kind())) {
        throw source.field().unsupported(bound);
      }
      isEmpty |= bound == null && !source.hasMissing();
      fields.add(bound);
      shown.add(bound == null ? DisplayFormat.plain(PlainFormat.TERM) : bound.shown());
    }
    if (isEmpty) {
      return new Unmapped(empty());
    }
    return new CompositeCollecting(
        this, fields, shown, afterKey(fields, context), children.group(context));
  }

  private @Nullable List<@Nullable Object> afterKey(
      List<@Nullable BoundField> fields, QueryContext context) {
    if (after == null) {
      return null;
    }
    List<@Nullable Object> key = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      CompositeSource source = sources.get(i);
      try {
        key.add(source.after(after.get(source.name()), fields.get(i), context.nowMillis()));
      } catch (Refusal e) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT,
            "Could not parse [after." + source.name() + "]: " + e.reason(),
            e);
      }
    }
    return key;
  }

  @Override
  public Partial empty() {
    List<DisplayFormat> shown = new ArrayList<>();
    sources.forEach(source -> shown.add(DisplayFormat.plain(PlainFormat.TERM)));
    return new CompositePartial(this, List.of(), shown);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return CompositePartial.read(in, this);
  }
}
