package dev.holdfast.query.aggregation.bucket.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// One bucket for the documents of each of several queries, by name or by place.
///
/// @param names of the queries; empty when they are anonymous
/// @param other name of the bucket of documents that match none; null for no such bucket
public record Filters(
    Label label,
    List<String> names,
    List<QueryClause> queries,
    @Nullable String other,
    boolean isKeyed,
    AggregationTree children)
    implements Aggregation {

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    JsonNode filters = body.take("filters");
    List<String> names = new ArrayList<>();
    List<QueryClause> queries = new ArrayList<>();
    if (filters != null && filters.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      filters.properties().forEach(each -> sorted.put(each.getKey(), each.getValue()));
      sorted.forEach((name, query) -> {
        names.add(name);
        queries.add(definition.queries().apply(query));
      });
    } else if (filters != null && filters.isArray()) {
      filters.forEach(each -> queries.add(definition.queries().apply(each)));
    }
    if (filters == null || queries.isEmpty()) {
      throw Refusal.badArgument("[filters] cannot be empty.");
    }
    String key = body.string("other_bucket_key");
    boolean hasOther = body.unquoted("other_bucket").bool("other_bucket", key != null);
    return new Filters(
        definition.label(),
        List.copyOf(names),
        List.copyOf(queries),
        hasOther ? (key == null ? "_other_" : key) : null,
        body.unquoted("keyed").bool("keyed", true) && filters.isObject(),
        definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    List<Selection> selections = new ArrayList<>(queries.size());
    for (QueryClause query : queries) {
      selections.add(new Selection(query.toLucene(context), context));
    }
    return new SelectionCollecting(
        segment -> {
          SelectedDocuments[] open = new SelectedDocuments[selections.size()];
          for (int i = 0; i < open.length; i++) {
            open[i] = selections.get(i).documents(segment);
          }
          return open;
        },
        queries.size(),
        other != null,
        children.group(context),
        this::result);
  }

  private Partial result(long[] counts, Results[] results) {
    List<Slot> slots = new ArrayList<>(counts.length);
    for (int i = 0; i < counts.length; i++) {
      slots.add(new Slot(counts[i], results[i]));
    }
    return new Result(this, slots);
  }

  private int slots() {
    return queries.size() + (other == null ? 0 : 1);
  }

  private String name(int slot) {
    return slot < names.size()
        ? names.get(slot)
        : slot == queries.size() && other != null ? other : Integer.toString(slot);
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways(slots());
  }

  @Override
  public Partial empty() {
    List<Slot> slots = new ArrayList<>();
    Results below = children.empty();
    for (int i = 0; i < slots(); i++) {
      slots.add(new Slot(0, below));
    }
    return new Result(this, slots);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    int count = in.data().readLength();
    List<Slot> slots = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long docs = in.data().readVLong();
      slots.add(new Slot(docs, children.read(in)));
    }
    return new Result(this, slots);
  }

  record Slot(long count, Results children) {}

  record Result(Filters request, List<Slot> slots) implements Partial, Bucketed {
    Result {
      slots = List.copyOf(slots);
    }

    @Override
    public Partial emptied(Partial empty) {
      List<Slot> emptied = new ArrayList<>(slots.size());
      for (Slot slot : slots) {
        emptied.add(new Slot(0, slot.children.emptied(request.children.empty())));
      }
      return new Result(request, emptied);
    }

    @Override
    public Partial merge(Partial other) {
      List<Slot> merged = new ArrayList<>(slots.size());
      for (int i = 0; i < slots.size(); i++) {
        Slot a = slots.get(i);
        Slot b = ((Result) other).slots.get(i);
        merged.add(new Slot(a.count + b.count, a.children.merge(b.children)));
      }
      return new Result(request, merged);
    }

    @Override
    public Partial reduce(Reduction reduction) {
      reduction.add(slots.size());
      List<Slot> reduced = new ArrayList<>(slots.size());
      for (Slot slot : slots) {
        reduced.add(new Slot(slot.count, request.children.reduce(slot.children, reduction)));
      }
      return new Result(request, reduced);
    }

    @Override
    public String typeName() {
      return "filters";
    }

    @Override
    public List<Bucket> buckets() {
      List<Bucket> buckets = new ArrayList<>(slots.size());
      for (int i = 0; i < slots.size(); i++) {
        BytesRef key = new BytesRef(request.name(i));
        buckets.add(new Bucket(key, slots.get(i).count, slots.get(i).children));
      }
      return buckets;
    }

    @Override
    public String name(Bucket bucket) {
      return ((BytesRef) bucket.key()).utf8ToString();
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      if (request.isKeyed) {
        out.writeObjectFieldStart("buckets");
      } else {
        out.writeArrayFieldStart("buckets");
      }
      for (int i = 0; i < slots.size(); i++) {
        if (request.isKeyed) {
          out.writeObjectFieldStart(request.name(i));
        } else {
          out.writeStartObject();
          if (!request.names.isEmpty()) {
            out.writeStringField("key", request.name(i));
          }
        }
        out.writeNumberField("doc_count", slots.get(i).count);
        slots.get(i).children.render(out, isTyped);
        out.writeEndObject();
      }
      if (request.isKeyed) {
        out.writeEndObject();
      } else {
        out.writeEndArray();
      }
    }

    @Override
    public void write(WireOutput out) throws IOException {
      out.writeVInt(slots.size());
      for (Slot slot : slots) {
        out.writeVLong(slot.count);
        slot.children.write(out);
      }
    }
  }
}
