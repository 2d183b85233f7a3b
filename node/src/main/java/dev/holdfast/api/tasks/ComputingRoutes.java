package dev.holdfast.api.tasks;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Routes that compute an answer and change nothing, so that they may be left at any point, with
/// Elasticsearch's names of their actions, few of which say so. Told by their whole paths: a
/// repository is analysed by writing to it.
final class ComputingRoutes {
  private static final String INDEX = "/{index}";

  private static final Map<String, String> BY_PATH = new LinkedHashMap<>();

  static {
    inIndicesOrAll("/_analyze", "indices:admin/analyze");
    inIndicesOrAll("/_validate/query", "indices:admin/validate/query");
    inIndicesOrAll("/_field_caps", "indices:data/read/field_caps");
    inIndicesOrAll("/_rank_eval", "indices:data/read/rank_eval");
    inIndicesOrAll("/_search/template", "indices:data/read/search/template");
    inIndicesOrAll("/_msearch/template", "indices:data/read/msearch/template");
    inIndicesOrAll("/_mtermvectors", "indices:data/read/mtv");
    BY_PATH.put(INDEX + "/_termvectors", "indices:data/read/tv");
    BY_PATH.put(INDEX + "/_termvectors/{id}", "indices:data/read/tv");
    BY_PATH.put(INDEX + "/_explain/{id}", "indices:data/read/explain");
    BY_PATH.put(INDEX + "/_terms_enum", "indices:data/read/xpack/termsenum/list");
    BY_PATH.put(INDEX + "/_mvt/{field}/{zoom}/{x}/{y}", "indices:data/read/search");
    BY_PATH.put("/_render/template", "indices:data/read/search/template");
    BY_PATH.put("/_render/template/{id}", "indices:data/read/search/template");
    BY_PATH.put("/_scripts/painless/_execute", "cluster:admin/scripts/painless/execute");
    BY_PATH.put("/_ingest/pipeline/_simulate", "cluster:admin/ingest/pipeline/simulate");
    BY_PATH.put("/_ingest/pipeline/{id}/_simulate", "cluster:admin/ingest/pipeline/simulate");
    BY_PATH.put("/_ingest/_simulate", "indices:data/write/simulate/bulk");
    BY_PATH.put("/_ingest/{index}/_simulate", "indices:data/write/simulate/bulk");
  }

  private ComputingRoutes() {}

  private static void inIndicesOrAll(String path, String action) {
    BY_PATH.put(path, action);
    BY_PATH.put(INDEX + path, action);
  }

  /// The action of such a route; null for another.
  ///
  /// @param path of the route, with `{names}`
  static @Nullable String action(String path) {
    return BY_PATH.get(path);
  }

  /// The paths of all of them.
  static Iterable<String> paths() {
    return BY_PATH.keySet();
  }
}
