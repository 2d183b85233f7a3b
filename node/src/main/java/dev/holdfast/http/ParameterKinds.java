package dev.holdfast.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The query parameters that there are, by name: what each may hold, and what it is when nobody
/// gives it. A name means the same everywhere, but for those that are declared for a path
/// (`version@_doc`).
public final class ParameterKinds {
  /// A parameter.
  ///
  /// @param byDefault for people: what it is when it is not given; empty for nothing
  public record Declared(ParameterKind kind, String byDefault) {}

  private static final SortedMap<String, Declared> ALL = all();

  private ParameterKinds() {}

  private static SortedMap<String, Declared> all() {
    SortedMap<String, Declared> all = new TreeMap<>();
    add(
        all,
        ParameterKind.FLAG,
        """
        accept_data_loss=false verify_blob_contents=false accept_enterprise ignore_unavailable@_snapshot=false ignore_unavailable@snapshots=false
        active_only=false all_shards=false check_overwrite_protection=true rarely_abort_writes=true
        include_repository=true index_details=false index_names=true verbose@_snapshot=true
        wait_for_completion@_snapshot=false analyze_wildcard=false ccs_minimize_roundtrips=true copy_settings=true
        create=false detailed=false doc_as_upsert=false dry_run=false error_trace=false exact_bounds=false
        explain=false field_statistics=true fielddata=false flat_settings=false flush=true
        forbid_closed_indices=true force=false force_synthetic_source=false full_id=false help=false human=false
        ignore_idle_threads=true include_bootstrap=false
        include_defaults=false include_disk_info=false include_empty_fields=true
        include_named_queries_score=false include_remotes=false include_segment_file_sizes=false
        include_source_on_error=true include_unloaded_segments=false include_unmapped=false
        include_yes_decisions=false keep_on_completion=false lazy=false lenient=false list_executed_pipelines=false
        local=false local_only=false offsets=true only_errors=false only_expunge_deletes=false only_managed=false payloads=true positions=true preserve_existing=false
        pretty=false pri=false query=false realtime=true reopen=false request=false
        require_alias=false require_data_stream=false rest_total_hits_as_int=false
        retry_failed=false return_200_for_cluster_health_timeout=false profile=false return_intermediate_results=true
        rewrite=false run_expensive_tasks=false seq_no_primary_term=false summary=false term_statistics=false
        track_scores=false ts=true typed_keys=false v=false verbose=false version=false verbose@_health_report=true
        wait_for_completion=true wait_for_completion@_tasks=false wait_for_completion@_reshard=false wait_for_no_initializing_shards=false
        refresh@_synonyms=true wait_for_no_relocating_shards=false wait_for_removal=true wait_if_ongoing=true with_labels=false
        verify=true write_index_only=false _source_exclude_vectors=true follow_relocations=false primary=false
        """);
    add(
        all,
        ParameterKind.OPTION,
        """
        allow_partial_search_results=true explain@_async_search=false explain@_search=false request_cache
        seq_no_primary_term@_async_search=false seq_no_primary_term@_search=false
        version@_async_search=false version@_search=false
        """);
    add(
        all,
        ParameterKind.SAID,
        "allow_no_indices=true ignore_throttled=true ignore_unavailable=false");
    add(
        all,
        ParameterKind.INT,
        """
        blob_thread_pool_concurrency=1 index_snapshot_verification_concurrency=1 index_verification_concurrency=0
        max_failed_shard_snapshots=10000 meta_thread_pool_concurrency=0 snapshot_verification_concurrency=0
        batched_reduce_size=512 offset=0 size@_snapshot=-1 blob_count concurrency early_read_node_count read_node_count
        register_operation_count blobs=10 buffer=5 extent=4096 from=0 grid_precision=8 if_version max_concurrent_searches
        max_concurrent_shard_requests=5 max_docs max_num_segments order=0 search_after pre_filter_shard_size
        retry_on_conflict=0 scroll_size=1000 shard size=10 suggest_size
        terminate_after=0 threads=3
        """);
    add(
        all,
        ParameterKind.LONG,
        "if_primary_term if_seq_no seed version@_doc version@_source version@_create"
            + " version@_update version@_termvectors version@_mtermvectors"
            + " wait_for_metadata_version");
    add(all, ParameterKind.FLOAT, "min_score rare_action_probability");
    add(
        all,
        ParameterKind.TIME,
        """
        interval=500ms keep_alive master_timeout=30s scroll timeout=30s timeout@_doc=1m timeout@_bulk=1m
        timeout@_create=1m timeout@_update=1m timeout@_update_by_query=1m timeout@_delete_by_query=1m timeout@_reindex=1m
        search_timeout timeout@_search wait_for_completion_timeout=1s wait_for_timeout=1m
        """);
    add(all, ParameterKind.COPIES, "wait_for_active_shards=1");
    add(
        all,
        ParameterKind.CHOICE,
        """
        order@_snapshot=asc sort@_snapshot=start_time
        bytes conflicts=abort default_operator=OR ecs_compatibility=disabled expand_wildcards=open features format
        grid_agg=geotile grid_type=grid group_by=nodes health level level@_stats=indices merge_type mode op_type=index
        refresh=false search_type=query_then_fetch slices=1 status suggest_mode time track_total_hits=10000 type=cpu
        storage=full_copy version_type=internal wait_for_events wait_for_nodes wait_for_status
        """);
    add(
        all,
        ParameterKind.LIST,
        """
        actions capabilities categories completion_fields docvalue_fields fielddata_fields fields filter_path filters groups
        slm_policy_filter state h ids index metric node_ids node_names nodes parameters s scroll_id sort stats stored_fields types
        _source _source_excludes _source_includes
        """);
    add(
        all,
        ParameterKind.TEXT,
        """
        analyzer cause context df feature_name method node_id path parent_task_id pipeline preference q requests_per_second resource
        after from_sort_value max_bytes_per_sec max_blob_size max_total_data_size routing size@_cat snapshots source source_content_type
        suggest_field suggest_text uuid project_routing current_node
        """);
    return all;
  }

  private static void add(SortedMap<String, Declared> all, ParameterKind kind, String names) {
    for (String word : names.strip().split("\\s+")) {
      String[] parts = word.split("=", 2);
      Declared before = all.put(parts[0], new Declared(kind, parts.length > 1 ? parts[1] : ""));
      if (before != null) {
        throw new IllegalArgumentException("[" + parts[0] + "] is declared twice");
      }
    }
  }

  /// What a parameter of a path is.
  ///
  /// @param segments of the route
  /// @return null for one that is not declared
  public static @Nullable Declared of(List<String> segments, String name) {
    for (String segment : segments) {
      Declared ofPath = ALL.get(name + "@" + segment);
      if (ofPath != null) {
        return ofPath;
      }
    }
    return ALL.get(name);
  }

  /// The parameters that say something, each checked: an option without a value says nothing.
  ///
  /// @param segments of the route
  /// @throws dev.holdfast.world.Refusal for the first value that is none
  public static Map<String, String> said(List<String> segments, Map<String, String> parameters) {
    Map<String, String> said = new LinkedHashMap<>();
    parameters.forEach((name, value) -> {
      Declared declared = of(segments, name);
      if (declared != null) {
        declared.kind().check(name, value);
      }
      if (declared == null || declared.kind() != ParameterKind.OPTION || !value.isEmpty()) {
        said.put(name, value);
      }
    });
    return said;
  }
}
