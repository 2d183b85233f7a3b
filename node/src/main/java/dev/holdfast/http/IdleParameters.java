package dev.holdfast.http;

import java.util.List;

/// The query parameters that are taken and have no effect here, with the reason that clients are
/// told. What is in no rule is read by its API, or refused.
public final class IdleParameters {
  /// How an analysis of a repository may be asked for.
  public static final List<String> ANALYSIS =
      List.of(
          "blob_count",
          "check_overwrite_protection",
          "concurrency",
          "detailed",
          "early_read_node_count",
          "max_blob_size",
          "max_total_data_size",
          "rare_action_probability",
          "rarely_abort_writes",
          "read_node_count",
          "register_operation_count",
          "seed",
          "timeout");

  private static final String READ = "";
  private static final String NO_LEADER =
      "answered from the state that this node knows: no leader is asked";
  private static final String NO_REMOTES = "there are no remote clusters";
  private static final String DURABLE =
      "a change is answered when it is durable in the store: nothing is waited for besides";
  private static final String REFUSED = "it is refused";
  private static final String ONE_STEP = "answered at once: nothing is waited for";
  private static final String COPIES =
      "a write is durable in the store before it is acknowledged, however many copies there are";
  private static final String ALL_RECOVERIES = "recoveries are shown with all there is";
  private static final String TEMPLATES = "templates have no defaults of their own";
  private static final String SAME_COPIES = "the newest version is shown, whatever copy has it";
  private static final String NO_STATE =
      "the node that is asked makes and deletes snapshots itself";
  private static final String EACH_NODE = "each node is waited for as long as it may take";
  private static final String BY_QUERY =
      "what is written is compared with its version always, and found by a scroll";

  private static final List<Rule> RULES =
      List.of(
          // What has an effect though a rule below says otherwise.
          rule("*", "/_cat/health", READ, "ts"),
          rule("*", "/_cat/count", READ, "ts"),
          rule("*", "/_cat/count/{index}", READ, "ts"),
          rule("*", "/_tasks", READ, "timeout"),
          rule("*", "_search", READ, "stats"),
          rule("*", "_async_search", READ, "stats"),
          rule("*", "/_tasks/{task_id}", READ, "timeout"),
          rule("*", "hot_threads", READ, "timeout"),
          rule("*", "usage", READ, "timeout"),
          rule("*", "reload_secure_settings", READ, "timeout"),
          rule("*", "/_nodes/stats", READ, "timeout"),
          rule("*", "/_nodes/stats/{metric}", READ, "timeout"),
          rule("*", "/_nodes/stats/{metric}/{index_metric}", READ, "timeout"),
          rule("*", "/_nodes/{node}/stats", READ, "timeout"),
          rule("*", "/_nodes/{node}/stats/{metric}", READ, "timeout"),
          rule("*", "/_nodes/{node}/stats/{metric}/{index_metric}", READ, "timeout"),
          // Everywhere.
          rule("*", "*", "no index is frozen", "ignore_throttled"),
          rule("*", "*", "each node knows the cluster state and answers from it", "local"),
          rule(
              "*",
              "*",
              NO_REMOTES,
              "ccs_minimize_roundtrips",
              "include_remotes",
              "project_routing"),
          rule("*", "*", "answers of all shards are reduced at once", "batched_reduce_size"),
          rule(
              "*",
              "*",
              "a node bounds its searches, not a request its shards",
              "max_concurrent_shard_requests"),
          rule(
              "*",
              "*",
              "shards that cannot match end at once, and are not asked before",
              "pre_filter_shard_size"),
          rule("*", "*", "no groups are counted but those of searches", "stats"),
          rule("*", "*", "sources are kept as they were sent", "force_synthetic_source"),
          rule("*", "*", "errors do not show the source", "include_source_on_error"),
          rule(
              "*",
              "*",
              "statistics hold all segments of open indices, and none of closed ones",
              "include_unloaded_segments"),
          rule("*", "*", "nobody keeps it", "cause"),
          rule("*", "*", "there is one license", "accept_enterprise"),
          rule("*", "*", "settings are copied always", "copy_settings"),
          rule("GET|HEAD", "*", NO_LEADER, "master_timeout"),
          rule("POST", "_search_shards", NO_LEADER, "master_timeout"),
          rule("POST", "_cat", NO_LEADER, "master_timeout"),
          rule("POST", "_simulate", NO_LEADER, "master_timeout"),
          rule("POST", "_simulate_index", NO_LEADER, "master_timeout"),
          rule("*", "explain", NO_LEADER, "master_timeout"),
          rule("*", "reroute", ONE_STEP, "master_timeout", "timeout", "retry_failed"),
          rule("*", "voting_config_exclusions", ONE_STEP, "master_timeout", "timeout"),
          rule("DELETE", "voting_config_exclusions", ONE_STEP, "wait_for_removal"),
          rule("*", "_dangling", ONE_STEP, "master_timeout", "timeout", "accept_data_loss"),
          rule("*", "_reset", ONE_STEP, "master_timeout"),
          // Waits that are none here.
          rule("*", "_doc", COPIES, "wait_for_active_shards"),
          rule("*", "_create", COPIES, "wait_for_active_shards"),
          rule("*", "_update", COPIES, "wait_for_active_shards"),
          rule("*", "_bulk", COPIES, "wait_for_active_shards"),
          rule("*", "_close", "a closed index has no shards to wait for", "wait_for_active_shards"),
          rule(
              "*",
              "_downsample",
              "the answer comes when the work is done",
              "master_timeout",
              "timeout"),
          rule("*", "_close", DURABLE, "timeout"),
          rule("*", "_block", DURABLE, "timeout"),
          rule("*", "_mapping", DURABLE, "timeout"),
          rule("*", "_mappings", DURABLE, "timeout"),
          rule("*", "_settings", DURABLE, "timeout"),
          rule("*", "/_cluster/settings", DURABLE, "timeout"),
          rule("PUT", "/_cluster/settings", "the answer shows what was asked for", "flat_settings"),
          rule("PUT", "_settings", "the answer shows no settings", "flat_settings"),
          rule("*", "_alias", DURABLE, "timeout"),
          rule("*", "_aliases", DURABLE, "timeout"),
          rule("*", "_index_template", DURABLE, "timeout"),
          rule("*", "_component_template", DURABLE, "timeout"),
          rule("*", "_template", DURABLE, "timeout"),
          rule("*", "_data_stream", DURABLE, "timeout"),
          rule("*", "_promote", ONE_STEP, "master_timeout"),
          rule("*", "_ilm", DURABLE, "timeout"),
          rule("*", "_slm", DURABLE, "timeout"),
          rule("*", "_execute_retention", "it runs behind the request", "master_timeout"),
          rule("*", "_simulate", "no mapping is added, so none is merged", "merge_type"),
          rule("POST", "/_pit", REFUSED, "keep_alive"),
          rule("*", "migrate_to_data_tiers", REFUSED, "dry_run", "master_timeout"),
          rule("PUT|DELETE", "/_ingest/geoip/database/{id}", REFUSED, "master_timeout", "timeout"),
          rule(
              "PUT|DELETE",
              "/_ingest/ip_location/database/{id}",
              REFUSED,
              "master_timeout",
              "timeout"),
          rule("*", "_scripts", DURABLE, "timeout"),
          rule("*", "_synonyms", DURABLE, "timeout"),
          rule(
              "*",
              "_reload_search_analyzers",
              "searches take the newest resources always",
              "resource"),
          rule("*", "_synonyms", "searches take the newest synonyms always", "refresh"),
          rule("*", "pipeline", DURABLE, "timeout"),
          rule("DELETE", "/{index}", DURABLE, "timeout"),
          rule("*", "_create_from", DURABLE, "timeout"),
          rule("*", "_nodes", ONE_STEP, "timeout"),
          rule("*", "_health_report", ONE_STEP, "timeout"),
          rule("*", "_capabilities", ONE_STEP, "timeout"),
          rule("*", "/_resolve/cluster", NO_REMOTES, "timeout"),
          rule("*", "/_resolve/cluster/{name}", NO_REMOTES, "timeout"),
          rule("*", "_cat", ONE_STEP, "timeout", "wait_for_completion"),
          rule("*", "_flush", "a flush waits for one that runs", "wait_if_ongoing"),
          rule("*", "_cancel", ONE_STEP, "timeout"),
          // Tables.
          rule("*", "_cat", "this table has nothing to leave out", "ts", "pri", "size"),
          rule("*", "_cat", "ids are shown whole", "full_id"),
          rule("*", "_cat", "there are no bootstrap plugins", "include_bootstrap"),
          rule("PUT|POST", "/_snapshot/{repository}", DURABLE, "timeout"),
          rule("*", "/_snapshot/{repository}/{snapshot}", NO_STATE, "master_timeout"),
          rule(
              "*",
              "/_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}",
              NO_STATE,
              "master_timeout"),
          rule("*", "_cleanup", EACH_NODE, "timeout", "master_timeout"),
          rule("DELETE", "/_snapshot/{repository}", DURABLE, "timeout"),
          rule("*", "_verify", EACH_NODE, "timeout", "master_timeout"),
          rule(
              "*",
              "/_snapshot/{repository}/_analyze",
              "every promise of the store is proved once, by requests side by side",
              ANALYSIS.toArray(String[]::new)),
          rule(
              "POST",
              "/_snapshot/{repository}/_verify_integrity",
              "one object is looked at after another",
              "blob_thread_pool_concurrency",
              "index_snapshot_verification_concurrency",
              "index_verification_concurrency",
              "meta_thread_pool_concurrency",
              "snapshot_verification_concurrency"),
          rule("*", "/_cat/recovery", ALL_RECOVERIES, "detailed"),
          rule("*", "/_cat/recovery/{index}", ALL_RECOVERIES, "detailed"),
          // Others.
          rule("*", "_segments", "segments have nothing more to tell", "verbose"),
          rule("*", "_health_report", "nothing is left out", "size", "verbose"),
          rule("*", "hot_threads", "threads are sampled once", "snapshots"),
          rule("*", "hot_threads", "busy threads are shown, busiest first", "sort"),
          rule("*", "hot_threads", "idle threads are never shown", "ignore_idle_threads"),
          rule("*", "stats", "there are no mapping types", "types"),
          rule("*", "_index_template", TEMPLATES, "include_defaults"),
          rule("*", "_component_template", TEMPLATES, "include_defaults"),
          rule("*", "_template", TEMPLATES, "include_defaults"),
          rule(
              "*", "_simulate", "the given template is looked at beside those there are", "create"),
          rule(
              "*",
              "_simulate_index",
              "the given template is looked at beside those there are",
              "create"),
          rule("*", "explain", "there is one decision", "include_yes_decisions"),
          rule(
              "*",
              "_pit",
              "a point in time has all shards or is refused",
              "allow_partial_search_results"),
          rule("*", "_rank_eval", "each shard scores by its own statistics", "search_type"),
          rule(
              "*",
              "_validate",
              "a query is checked by mappings, which all shards share",
              "routing"),
          rule("*", "_explain", SAME_COPIES, "preference"),
          rule("*", "_termvectors", SAME_COPIES, "preference"),
          rule("*", "_mtermvectors", SAME_COPIES, "preference"),
          rule(
              "*",
              "/{index}/_termvectors",
              "a given document is not looked up",
              "realtime",
              "version"),
          rule("*", "_update_by_query", BY_QUERY, "request_cache", "search_type", "version"),
          rule("*", "_update_by_query", BY_QUERY, "version_type"),
          rule("*", "_delete_by_query", BY_QUERY, "request_cache", "search_type", "version"),
          rule("*", "scroll", "pages of a scroll have no aggregations", "typed_keys"),
          rule(
              "*",
              "_async_search",
              "a search that runs shows no hits",
              "return_intermediate_results"),
          rule("GET", "/_tasks/{task_id}", "tasks stay on their node", "follow_relocations"));

  private IdleParameters() {}

  /// @param verbs `*`, or methods with `|` between them
  /// @param where `*`, a literal segment of a path, or a whole path
  private record Rule(String verbs, String where, String why, List<String> names) {
    boolean isOf(Verb verb, List<String> segments) {
      return (verbs.equals("*") || List.of(verbs.split("\\|", -1)).contains(verb.name()))
          && (where.equals("*")
              || segments.contains(where)
              || where.equals("/" + String.join("/", segments)));
    }
  }

  private static Rule rule(String verbs, String where, String why, String... names) {
    return new Rule(verbs, where, why, List.of(names));
  }

  /// Why a parameter has no effect, as the end of a sentence; empty when it has one.
  ///
  /// @param segments of the route
  public static String why(Verb verb, List<String> segments, String name) {
    if (segments.contains("{" + name + "}")) {
      return "the path says it";
    }
    for (Rule rule : RULES) {
      if (rule.names().contains(name) && rule.isOf(verb, segments)) {
        return rule.why();
      }
    }
    return "";
  }
}
