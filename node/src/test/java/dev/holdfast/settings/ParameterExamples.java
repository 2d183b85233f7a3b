package dev.holdfast.settings;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ParameterKinds;
import dev.holdfast.http.Routes;
import dev.holdfast.http.Verb;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A request for each route that gets as far as its parameters.
final class ParameterExamples {
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("bytes", "b"),
          Map.entry("method", "GET"),
          Map.entry("path", "/_search"),
          Map.entry("expand_wildcards", "open"),
          Map.entry("features", "mappings"),
          Map.entry("group_by", "none"),
          Map.entry("level", "indices"),
          Map.entry("default_operator", "and"),
          Map.entry("op_type", "index"),
          Map.entry("refresh", "false"),
          Map.entry("search_type", "query_then_fetch"),
          Map.entry("slices", "1"),
          Map.entry("time", "ms"),
          Map.entry("track_total_hits", "true"),
          Map.entry("type", "cpu"),
          Map.entry("version_type", "internal"),
          Map.entry("wait_for_events", "normal"),
          Map.entry("wait_for_nodes", ">=1"),
          Map.entry("wait_for_status", "yellow"),
          Map.entry("health", "green"),
          Map.entry("conflicts", "proceed"),
          Map.entry("requests_per_second", "-1"),
          Map.entry("fields", "title"),
          Map.entry("index", "books-1"),
          Map.entry("mode", "standard"),
          Map.entry("categories", "build"),
          Map.entry("suggest_field", "title"),
          Map.entry("suggest_mode", "always"),
          Map.entry("q", "*"));

  private static final Set<String> OF_QUERY_STRINGS =
      Set.of("df", "analyzer", "lenient", "analyze_wildcard", "default_operator");

  private static final Map<String, String> PATH_VALUES =
      Map.ofEntries(
          Map.entry("index", "books-1"),
          Map.entry("id", "1"),
          Map.entry("metric", "_all"),
          Map.entry("set", "words"),
          Map.entry("rule", "a"),
          Map.entry("index_metric", "_all"),
          Map.entry("node", "_all"),
          Map.entry("repository", "kept"),
          Map.entry("snapshot", "kept-1"),
          Map.entry("target_snapshot", "kept-2"),
          Map.entry("feature", "object_store"),
          Map.entry("context", "score"),
          Map.entry("task_id", "x:1"),
          Map.entry("source", "books-1"),
          Map.entry("dest", "copy"),
          Map.entry("new_index", "books-2"),
          Map.entry("alias", "shelf"),
          Map.entry("target", "copy"),
          Map.entry("name", "shelf"),
          Map.entry("fields", "title"),
          Map.entry("block", "write"),
          Map.entry("field", "place"),
          Map.entry("zoom", "1"),
          Map.entry("x", "1"),
          Map.entry("y", "1"));

  private static final String RANKED =
      "{\"requests\":[{\"id\":\"a\",\"request\":{},\"ratings\":[]}],\"metric\":{\"precision\":{}}}";

  static final String REPOSITORY = "{\"type\":\"fs\",\"settings\":{\"location\":\"kept\"}}";

  private static final Map<String, String> BODIES = new HashMap<>();

  static {
    BODIES.put(
        "/_bulk",
        "{\"update\":{\"_index\":\"books-1\",\"_id\":\"2\"}}\n"
            + "{\"doc\":{},\"doc_as_upsert\":true}\n");
    BODIES.put(
        "/{index}/_bulk",
        "{\"update\":{\"_index\":\"books-1\",\"_id\":\"2\"}}\n"
            + "{\"doc\":{},\"doc_as_upsert\":true}\n");
    BODIES.put("/_msearch", "{}\n{}\n");
    BODIES.put("/{index}/_msearch", "{}\n{}\n");
    BODIES.put("/_alias", "{\"index\":\"books-1\",\"alias\":\"shelf\"}");
    BODIES.put("/{index}/_alias", "{\"alias\":\"shelf\"}");
    BODIES.put("/_alias/{name}", "{\"index\":\"books-1\"}");
    BODIES.put("/_aliases/{name}", "{\"index\":\"books-1\"}");
    BODIES.put("/_mget", "{\"docs\":[{\"_index\":\"books-1\",\"_id\":\"1\"}]}");
    BODIES.put("/{index}/_mget", "{\"ids\":[\"1\"]}");
    BODIES.put("/{index}/_doc", "{\"title\":\"z\"}");
    BODIES.put("/{index}/_doc/{id}", "{\"title\":\"z\"}");
    BODIES.put("/{index}/_create/{id}", "{\"title\":\"z\"}");
    BODIES.put("/{index}/_update/{id}", "{\"doc\":{\"title\":\"z\"}}");
    BODIES.put("/_reindex", "{\"source\":{\"index\":\"books-1\"},\"dest\":{\"index\":\"copies\"}}");
    BODIES.put("/{index}/_delete_by_query", "{\"query\":{\"match_none\":{}}}");
    BODIES.put("/{index}/_explain/{id}", "{\"query\":{\"match_all\":{}}}");
    BODIES.put("/_cluster/settings", "{\"persistent\":{\"search.max_buckets\":9999}}");
    BODIES.put("/{index}/_split/{target}", "{\"settings\":{\"index.number_of_shards\":2}}");
    BODIES.put("/{index}/_reshard", "{\"number_of_shards\":2}");
    BODIES.put(
        "/_aliases", "{\"actions\":[{\"add\":{\"index\":\"books-1\",\"alias\":\"shelf\"}}]}");
    BODIES.put("/_index_template/{name}", "{\"index_patterns\":[\"t-*\"]}");
    BODIES.put("/_index_template/_simulate", "{\"index_patterns\":[\"u-*\"]}");
    BODIES.put("/_component_template/{name}", "{\"template\":{}}");
    BODIES.put("/_template/{name}", "{\"index_patterns\":[\"t-*\"]}");
    BODIES.put("/_scripts/{id}", "{\"script\":{\"lang\":\"painless\",\"source\":\"1\"}}");
    BODIES.put("/_scripts/{id}/{context}", "{\"script\":{\"lang\":\"painless\",\"source\":\"1\"}}");
    BODIES.put("/_synonyms/{set}", "{\"synonyms_set\":[{\"id\":\"1\",\"synonyms\":\"a, b\"}]}");
    BODIES.put("/_synonyms/{set}/{rule}", "{\"synonyms\":\"a, b\"}");
    BODIES.put("/_ingest/pipeline/{id}", "{\"processors\":[]}");
    BODIES.put(
        "/_ingest/pipeline/_simulate",
        "{\"pipeline\":{\"processors\":[]},\"docs\":[{\"_source\":{}}]}");
    BODIES.put("/_ingest/pipeline/{id}/_simulate", "{\"docs\":[{\"_source\":{}}]}");
    BODIES.put("/_ingest/_simulate", "{\"docs\":[{\"_index\":\"a\",\"_source\":{}}]}");
    BODIES.put("/_ingest/{index}/_simulate", "{\"docs\":[{\"_source\":{}}]}");
    BODIES.put("/_search/template", "{\"source\":{}}");
    BODIES.put("/{index}/_search/template", "{\"source\":{}}");
    BODIES.put("/_msearch/template", "{}\n{\"source\":{}}\n");
    BODIES.put("/{index}/_msearch/template", "{}\n{\"source\":{}}\n");
    BODIES.put("/_rank_eval", RANKED);
    BODIES.put("/{index}/_rank_eval", RANKED);
    BODIES.put("/{index}/_terms_enum", "{\"field\":\"title\"}");
    BODIES.put("/{index}/_termvectors", "{\"doc\":{}}");
    BODIES.put("/_mtermvectors", "{\"docs\":[{\"_index\":\"books-1\",\"_id\":\"1\"}]}");
    BODIES.put("/{index}/_mtermvectors", "{\"docs\":[{\"_id\":\"1\"}]}");
    BODIES.put("/_analyze", "{\"text\":\"x\"}");
    BODIES.put("/{index}/_analyze", "{\"text\":\"x\"}");
    BODIES.put("/{index}/_update_by_query", "{\"query\":{\"match_none\":{}}}");
    BODIES.put("/{index}/_mapping", "{\"properties\":{}}");
    BODIES.put("/{index}/_mappings", "{\"properties\":{}}");
    BODIES.put("/_data_stream/{name}/_settings", "{\"index.number_of_replicas\":2}");
    BODIES.put("/_data_stream/{name}/_mappings", "{\"properties\":{}}");
    BODIES.put("/_data_stream/{name}/_options", "{\"failure_store\":{\"enabled\":true}}");
    BODIES.put(
        "/_data_stream/_modify",
        "{\"actions\":[{\"add_backing_index\":{\"data_stream\":\"stream-1\",\"index\":\"x\"}}]}");
    BODIES.put("/_ilm/policy/{policy}", "{\"policy\":{\"phases\":{\"hot\":{}}}}");
    BODIES.put(
        "/_ilm/move/{index}",
        "{\"current_step\":{\"phase\":\"hot\",\"action\":\"a\",\"name\":\"b\"},"
            + "\"next_step\":{\"phase\":\"warm\"}}");
    BODIES.put(
        "/_enrich/policy/{name}",
        "{\"match\":{\"indices\":\"books-1\",\"match_field\":\"title\",\"enrich_fields\":\"place\"}}");
    BODIES.put("/_snapshot/{repository}", REPOSITORY);
    BODIES.put("/_snapshot/{repository}/{snapshot}/_mount", "{\"index\":\"books-1\"}");
    BODIES.put(
        "/_slm/policy/{policy_id}", "{\"name\":\"n\",\"schedule\":\"1d\",\"repository\":\"kept\"}");
    BODIES.put(
        "/_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}", "{\"indices\":\"*\"}");
    BODIES.put("/_settings", "{\"index.refresh_interval\":\"2s\"}");
    BODIES.put("/{index}/_settings", "{\"index.refresh_interval\":\"2s\"}");
  }

  private ParameterExamples() {}

  /// The parameter, and what it needs beside it to be of use.
  static Map<String, String> with(List<String> segments, String name) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(name, value(segments, name));
    if (OF_QUERY_STRINGS.contains(name)) {
      all.put("q", "*");
    }
    if (name.startsWith("suggest_")) {
      all.putIfAbsent("suggest_field", "title");
    }
    if (segments.contains("_pit")) {
      all.putIfAbsent("keep_alive", "1m");
    }
    if (segments.contains("_field_caps")) {
      all.putIfAbsent("fields", "title");
    }
    if (segments.contains("_disk_usage")) {
      all.putIfAbsent("run_expensive_tasks", "true");
    }
    if (segments.contains("_tasks") && name.equals("timeout")) {
      all.put("wait_for_completion", "true");
    }
    return all;
  }

  private static String value(List<String> segments, String name) {
    return switch (Objects.requireNonNull(ParameterKinds.of(segments, name), name).kind()) {
      case FLAG, OPTION, SAID -> "true";
      case INT, LONG, FLOAT, COPIES -> "1";
      case TIME -> "1s";
      case CHOICE, LIST, TEXT -> VALUES.getOrDefault(name, "x");
    };
  }

  static Map<String, String> path(Routes.Line line) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String segment : line.route().segments()) {
      if (segment.startsWith("{")) {
        String name = segment.substring(1, segment.length() - 1);
        boolean isNew =
            line.verb() == Verb.PUT
                && List.of("/{index}", "/_data_stream/{name}").contains(line.path());
        boolean isStream = line.route().segments().contains("_data_stream");
        boolean hasSections = line.route().segments().contains("{index_metric}");
        String known =
            isStream
                ? "stream-1"
                : hasSections && name.equals("metric")
                    ? "indices"
                    : PATH_VALUES.getOrDefault(name, "none");
        String made = (isStream ? "stream-" : "fresh") + System.nanoTime();
        values.put(name, isNew ? made : known);
      }
    }
    return values;
  }

  /// What is read only where there is a task, a scroll or an asynchronous search of that id, or a
  /// wait that has been too long.
  static boolean isOnOccasion(Routes.Line line, String name) {
    List<String> segments = line.route().segments();
    return segments.contains("{task_id}")
        || segments.contains("_drain")
        || segments.contains("_migrate")
        || segments.contains("_accept_loss")
        || (segments.contains("_reshard") && name.equals("timeout"))
        || (segments.contains("scroll") && name.equals("rest_total_hits_as_int"))
        || (segments.contains("_async_search") && segments.contains("{id}"))
        || name.equals("return_200_for_cluster_health_timeout");
  }

  /// Whether the index, or its settings, are another thing afterwards.
  static boolean isRough(Routes.Line line) {
    return switch (line.verb()) {
      case GET, HEAD, OPTIONS -> false;
      case DELETE -> line.path().startsWith("/{index}");
      case PUT, POST ->
          List.of(
                  "_open",
                  "_close",
                  "_block",
                  "_clone",
                  "_split",
                  "_reshard",
                  "_shrink",
                  "_create_from",
                  "_rollover")
              .stream()
              .anyMatch(line.route().segments()::contains);
    };
  }

  static String target(Routes.Line line) {
    StringBuilder target = new StringBuilder();
    for (String segment : line.route().segments()) {
      target.append('/').append(segment.startsWith("{") ? "x" : segment);
    }
    return target.isEmpty() ? "/" : target.toString();
  }

  static String body(Routes.Line line) {
    return BODIES.getOrDefault(line.path(), "");
  }

  /// What is read while the answer is written is read, too.
  static void render(Answer answer) throws IOException {
    if (answer.content() instanceof Answer.Content.Structured structured) {
      try (JsonGenerator out = Json.MAPPER.createGenerator(new ByteArrayOutputStream())) {
        structured.writer().write(out);
      }
    }
  }
}
