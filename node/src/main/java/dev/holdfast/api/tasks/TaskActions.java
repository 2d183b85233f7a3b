package dev.holdfast.api.tasks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Elasticsearch's names of what the APIs do, by the word that tells their paths apart.
public final class TaskActions {
  private static final Map<String, String> BY_WORD = new LinkedHashMap<>();

  static {
    BY_WORD.put("/_search/scroll", "indices:data/read/scroll");
    BY_WORD.put("/_async_search", "indices:data/read/async_search/submit");
    BY_WORD.put("/_msearch", "indices:data/read/msearch");
    BY_WORD.put("/_search", "indices:data/read/search");
    BY_WORD.put("/_count", "indices:data/read/search");
    BY_WORD.put("/_mget", "indices:data/read/mget");
    BY_WORD.put("/_bulk", "indices:data/write/bulk");
    BY_WORD.put("/_update_by_query", "indices:data/write/update/byquery");
    BY_WORD.put("/_delete_by_query", "indices:data/write/delete/byquery");
    BY_WORD.put("/_reindex", "indices:data/write/reindex");
    BY_WORD.put("/_update/", "indices:data/write/update");
    BY_WORD.put("/_create/", "indices:data/write/index");
    BY_WORD.put("/_source/", "indices:data/read/get");
    BY_WORD.put("/_forcemerge", "indices:admin/forcemerge");
    BY_WORD.put("/_refresh", "indices:admin/refresh");
    BY_WORD.put("/_flush", "indices:admin/flush");
    BY_WORD.put("/_mapping", "indices:admin/mappings");
    BY_WORD.put("/_settings", "indices:admin/settings");
    BY_WORD.put("/_stats", "indices:monitor/stats");
    BY_WORD.put("/_tasks", "cluster:monitor/tasks/lists");
    BY_WORD.put("/_cat/tasks", "cluster:monitor/tasks/lists");
    BY_WORD.put("/_cluster/health", "cluster:monitor/health");
    BY_WORD.put("/_cluster/state", "cluster:monitor/state");
    BY_WORD.put("/_cluster/stats", "cluster:monitor/stats");
    BY_WORD.put("/_nodes", "cluster:monitor/nodes");
    BY_WORD.put("/_cat", "cluster:monitor/cat");
  }

  /// What GET does under a word that changes something else.
  private static final Map<String, String> READ_BY_WORD =
      Map.of(
          "/_mapping", "indices:admin/mappings/get", "/_settings", "indices:monitor/settings/get");

  private static final Set<String> READING = Set.of("GET", "HEAD", "GET|HEAD");

  private TaskActions() {}

  /// @param verbs of the route
  /// @param path of the route, with `{names}`
  public static String of(String verbs, String path) {
    String computing = ComputingRoutes.action(path);
    if (computing != null) {
      return computing;
    }
    if (path.contains("/_doc")) {
      return verbs.equals("GET")
          ? "indices:data/read/get"
          : verbs.equals("DELETE") ? "indices:data/write/delete" : "indices:data/write/index";
    }
    boolean isGet = verbs.equals("GET");
    boolean isOfTask = path.contains("/{task_id}") || (isGet && path.equals("/_reindex"));
    if (isOfTask && !path.startsWith("/_tasks")) { // about the work, and no such work itself
      return isGet ? "cluster:monitor/reindex" : "cluster:admin/reindex";
    }
    for (Map.Entry<String, String> one : BY_WORD.entrySet()) {
      if ((path + "/").contains(one.getKey())) {
        String read = isGet ? READ_BY_WORD.get(one.getKey()) : null;
        return read == null ? one.getValue() : read;
      }
    }
    String scope = path.startsWith("/{index}") ? "indices:" : "cluster:";
    return scope
        + (verbs.startsWith("GET") ? "monitor" : "admin")
        + path.replaceAll("/\\{\\w+}", "");
  }

  /// Whether what serves a route may be left at any point, because it changes nothing.
  ///
  /// @param action of the route
  /// @param path of the route, with `{names}`
  public static boolean isStoppable(String action, String path) {
    return action.startsWith("indices:data/read") || ComputingRoutes.action(path) != null;
  }

  /// Whether a route of these verbs changes nothing, so that it ends with its client; it need be no
  /// task that somebody else may cancel.
  static boolean onlyRead(String verbs) {
    return READING.contains(verbs);
  }
}
