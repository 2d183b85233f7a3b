package dev.holdfast.api.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts the searches of clients since this process began, and what they are made of: those that
/// have a body and can be read, each name once a search.
public final class SearchUsage {
  private static final String QUERIES = "queries";
  private static final String RESCORERS = "rescorers";
  private static final String RETRIEVERS = "retrievers";
  private static final String SECTIONS = "sections";
  private static final List<String> PARTS = List.of(QUERIES, RESCORERS, RETRIEVERS, SECTIONS);

  /// Members of a body that count, unless they are empty: paging, flags and sorts do not.
  private static final Set<String> COUNTED =
      Set.of(
          "_source",
          "aggs",
          "collapse",
          "docvalue_fields",
          "ext",
          "fields",
          "highlight",
          "indices_boost",
          "knn",
          "min_score",
          "pit",
          "post_filter",
          "query",
          "rescore",
          "retriever",
          "runtime_mappings",
          "script_fields",
          "search_after",
          "slice",
          "stats",
          "stored_fields",
          "suggest",
          "terminate_after");

  /// What clients make up is no name that counts.
  private static final Set<String> KNOWN_RETRIEVERS =
      Set.of("knn", "linear", "rescorer", "rrf", "standard");

  private static final String RESCORER = "query";
  private static final int DEPTH_MAX = 10;

  private final LongAdder total = new LongAdder();
  private final Map<String, Map<String, LongAdder>> counts = new ConcurrentHashMap<>();

  public SearchUsage() {
    PARTS.forEach(part -> counts.put(part, new ConcurrentHashMap<>()));
  }

  /// A search that is about to be read.
  ///
  /// @param body as the client sent it
  /// @param isGiven whether there was a body at all
  public Search search(ObjectNode body, boolean isGiven) {
    return new Search(body, isGiven);
  }

  public void write(StatisticsWriter figures) throws IOException {
    figures.number("total", total.sum());
    for (String part : PARTS) {
      figures.object(
          part,
          () -> {
            for (Map.Entry<String, LongAdder> one : new TreeMap<>(of(part)).entrySet()) {
              figures.number(one.getKey(), one.getValue().sum());
            }
          });
    }
  }

  private Map<String, LongAdder> of(String part) {
    return counts.getOrDefault(part, Map.of());
  }

  private void add(String part, Set<String> names) {
    names.forEach(name -> of(part).computeIfAbsent(name, _ -> new LongAdder()).increment());
  }

  /// One search of a client, which one thread reads.
  public final class Search {
    private final boolean isGiven;
    private final Set<String> queries = new HashSet<>();
    private final Set<String> rescorers = new HashSet<>();
    private final Set<String> retrievers = new HashSet<>();
    private final Set<String> sections = new HashSet<>();

    /// Queries inside retrievers, which are read as other queries than the client sent.
    private final List<JsonNode> retrieved = new ArrayList<>();

    private final boolean hasRetriever;
    private boolean isCounted;

    private Search(ObjectNode body, boolean isGiven) {
      this.isGiven = isGiven;
      this.hasRetriever = body.has("retriever");
      for (Map.Entry<String, JsonNode> member : body.properties()) {
        String name = member.getKey().equals("aggregations") ? "aggs" : member.getKey();
        if (COUNTED.contains(name) && !isEmpty(name, member.getValue())) {
          sections.add(name);
        }
      }
      rescorers(body.path("rescore"));
      retriever(body.path("retriever"), 1);
    }

    private static boolean isEmpty(String name, JsonNode value) {
      return (value.isContainerNode() && value.isEmpty())
          || (name.equals("_source") && value.isBoolean() && value.booleanValue());
    }

    private void rescorers(JsonNode given) {
      for (JsonNode one : given.isArray() ? given : List.of(given)) {
        if (one.path(RESCORER).isObject()) {
          rescorers.add(RESCORER);
        }
      }
    }

    private void retriever(JsonNode given, int depth) {
      if (depth > DEPTH_MAX) {
        return;
      }
      for (Map.Entry<String, JsonNode> member : given.properties()) {
        JsonNode options = member.getValue();
        if (KNOWN_RETRIEVERS.contains(member.getKey())) {
          retrievers.add(member.getKey());
        }
        if (options.path("query").isObject()) {
          retrieved.add(options.path("query"));
        }
        rescorers(options.path("rescore"));
        retriever(options.path("retriever"), depth + 1);
        for (JsonNode one : options.path("retrievers")) {
          retriever(one.has("retriever") ? one.path("retriever") : one, depth + 1);
        }
      }
    }

    /// A query of it is read.
    public void query(String name) {
      if (!hasRetriever) {
        queries.add(name);
      }
    }

    /// It could be read: it counts from now on.
    public void count() {
      if (isCounted || !isGiven) {
        return;
      }
      isCounted = true;
      retrieved.forEach(this::read);
      total.increment();
      add(QUERIES, queries);
      add(RESCORERS, rescorers);
      add(RETRIEVERS, retrievers);
      add(SECTIONS, sections);
    }

    private void read(JsonNode query) {
      Set<String> seen = new HashSet<>();
      try {
        var _ = Queries.reader().heardBy(seen::add).read(query.deepCopy());
      } catch (Refusal e) {
        return; // the search itself tells the client
      }
      queries.addAll(seen);
    }
  }
}
