package dev.holdfast.search.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import dev.holdfast.query.result.Lookup;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The values of `lookup` fields in the hits of a page: one search for each that differs.
public final class LookedUpFields {
  private final Search search;

  /// What was found, by what was asked.
  private final Map<Lookup, List<Object>> found = new LinkedHashMap<>();

  /// Searches the index of a look-up.
  @FunctionalInterface
  public interface Search {
    List<Hit> run(Lookup lookup) throws IOException, InterruptedException;
  }

  public LookedUpFields(Search search) {
    this.search = search;
  }

  /// The answer with values in the place of look-ups.
  ///
  /// @throws Refusal `search_phase_execution_exception` when an index cannot be asked
  public MergedAnswer resolve(MergedAnswer answer) throws IOException, InterruptedException {
    return answer.hits().stream().anyMatch(LookedUpFields::hasLookups)
        ? answer.withHits(resolved(answer.hits()))
        : answer;
  }

  private static boolean hasLookups(Hit hit) {
    return hit.fields().values().stream()
            .anyMatch(values -> values.stream().anyMatch(Lookup.class::isInstance))
        || hit.innerHits().values().stream()
            .anyMatch(inner -> inner.hits().stream().anyMatch(LookedUpFields::hasLookups));
  }

  private List<Hit> resolved(List<Hit> hits) throws IOException, InterruptedException {
    List<Hit> all = new ArrayList<>();
    for (Hit hit : hits) {
      all.add(hasLookups(hit) ? resolved(hit) : hit);
    }
    return all;
  }

  private Hit resolved(Hit hit) throws IOException, InterruptedException {
    Map<String, List<Object>> fields = new LinkedHashMap<>();
    for (Map.Entry<String, List<Object>> field : hit.fields().entrySet()) {
      List<Object> values = new ArrayList<>();
      for (Object value : field.getValue()) {
        if (value instanceof Lookup lookup) {
          values.addAll(find(lookup));
        } else {
          values.add(value);
        }
      }
      fields.put(field.getKey(), values);
    }
    Map<String, InnerHits> inner = new LinkedHashMap<>();
    for (Map.Entry<String, InnerHits> one : hit.innerHits().entrySet()) {
      InnerHits of = one.getValue();
      inner.put(
          one.getKey(),
          new InnerHits(of.total(), of.isTotalExact(), of.maxScore(), resolved(of.hits())));
    }
    return hit.withFields(fields).withInnerHits(inner);
  }

  private List<Object> find(Lookup lookup) throws IOException, InterruptedException {
    List<Object> known = found.get(lookup);
    if (known == null) {
      known = rows(lookup);
      found.put(lookup, known);
    }
    return known;
  }

  /// The fields of what was found, an object a document.
  private List<Object> rows(Lookup lookup) throws IOException, InterruptedException {
    List<Object> rows = new ArrayList<>();
    try {
      for (Hit row : search.run(lookup)) {
        ObjectNode fields = Json.object();
        row.fields().forEach((name, values) -> fields.set(name, Json.MAPPER.valueToTree(values)));
        rows.add(fields);
      }
    } catch (Refusal e) {
      if (e.type() == ErrorType.TASK_CANCELLED) {
        throw e;
      }
      throw Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "failed to fetch lookup fields", e)
          .with("phase", "fetch_lookup_fields")
          .with("grouped", true)
          .with("failed_shards", List.of());
    }
    return rows;
  }
}
