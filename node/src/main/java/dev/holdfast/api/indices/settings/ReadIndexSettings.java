package dev.holdfast.api.indices.settings;

import static dev.holdfast.api.indices.settings.ValueCheck.BOOL;
import static dev.holdfast.api.indices.settings.ValueCheck.LIST;
import static dev.holdfast.api.indices.settings.ValueCheck.TEXT;
import static dev.holdfast.api.indices.settings.ValueCheck.TIME;
import static dev.holdfast.api.indices.settings.ValueCheck.oneOf;
import static dev.holdfast.api.indices.settings.ValueCheck.whole;

import java.util.Collections;
import java.util.SortedMap;

/// Every index setting that something reads: a line each.
final class ReadIndexSettings {
  static final SortedMap<String, IndexSetting> ALL =
      Collections.unmodifiableSortedMap(
          LifecycleSettings.declared(new IndexSetting.Table())
              .read("index.number_of_shards", false, whole(1, 1024), "IndexCreation")
              .read("index.number_of_routing_shards", false, whole(1, 1024), "ResizeApi")
              .read("index.codec", false, oneOf("default", "best_compression", "lz4"), "Recovery")
              .read("index.sort.field", false, LIST, "IndexSort")
              .read("index.sort.order", false, LIST, "IndexSort")
              .read("index.sort.mode", false, LIST, "IndexSort")
              .read("index.sort.missing", false, LIST, "IndexSort")
              .read("index.routing_partition_size", false, whole(1, Integer.MAX_VALUE), "Routing")
              .read("index.mode", false, oneOf("standard", "time_series", "logsdb"), "TimeSeries")
              .read("index.routing_path", false, LIST, "TimeSeries")
              .read("index.time_series.start_time", false, ValueCheck.INSTANT, "TimeSeries")
              .read("index.time_series.end_time", true, ValueCheck.INSTANT, "TimeSeries")
              .read("index.downsample.interval", false, TEXT, "Downsampling")
              .read("index.downsample.sampling_method", false, TEXT, "Downsampling")
              .read("index.downsample.status", false, TEXT, "Downsampling")
              .read("index.downsample.source.name", false, TEXT, "Downsampling")
              .read("index.downsample.source.uuid", false, TEXT, "Downsampling")
              .read("index.downsample.origin.name", false, TEXT, "Downsampling")
              .read("index.downsample.origin.uuid", false, TEXT, "Downsampling")
              .read(
                  "index.look_ahead_time", true, ValueCheck.timeBetween("1m", "2h"), "SeriesRange")
              .read("index.look_back_time", true, ValueCheck.timeBetween("1m", "7d"), "SeriesRange")
              .read("index.mapping.source.mode", false, ValueCheck.sourceMode(), "IndexMapping")
              .read(
                  "index.mapping.synthetic_source_keep",
                  false,
                  ValueCheck.sourceKeep(),
                  "IndexMapping")
              .read("index.mapping.exclude_source_vectors", false, BOOL, "DocumentLimits")
              .read("index.uuid", false, TEXT, "IndexCreation")
              .read("index.creation_date", false, TEXT, "IndexCreation")
              .read("index.provided_name", false, TEXT, "IndexCreation")
              .read("index.version.created", false, TEXT, "TimeSeries")
              .read("index.store.snapshot.repository_name", false, TEXT, "MountedIndices")
              .read("index.store.snapshot.snapshot_name", false, TEXT, "MountedIndices")
              .read("index.store.snapshot.snapshot_uuid", false, TEXT, "MountedIndices")
              .read("index.store.snapshot.index_name", false, TEXT, "MountedIndices")
              .read("index.store.snapshot.index_uuid", false, TEXT, "MountedIndices")
              .read("index.store.snapshot.partial", false, BOOL, "MountedIndices")
              .read("index.resize.source.name", false, TEXT, "ResizeApi")
              .read("index.resize.source.uuid", false, TEXT, "ResizeApi")
              .read("index.number_of_replicas", true, whole(0, Integer.MAX_VALUE), "Allocation")
              .read("index.refresh_interval", true, TIME, "RefreshInterval")
              .read("index.hidden", true, BOOL, "IndexExpression")
              .read("index.max_result_window", true, whole(1, Integer.MAX_VALUE), "DocumentLimits")
              .read(
                  "index.max_inner_result_window",
                  true,
                  whole(1, Integer.MAX_VALUE),
                  "DocumentLimits")
              .read("index.max_rescore_window", true, whole(1, Integer.MAX_VALUE), "DocumentLimits")
              .read(
                  "index.max_docvalue_fields_search",
                  true,
                  whole(0, Integer.MAX_VALUE),
                  "DocumentLimits")
              .read("index.max_script_fields", true, whole(0, Integer.MAX_VALUE), "DocumentLimits")
              .read("index.max_terms_count", true, whole(1, Integer.MAX_VALUE), "DocumentLimits")
              .read("index.max_regex_length", true, whole(1, Integer.MAX_VALUE), "DocumentLimits")
              .read(
                  "index.highlight.max_analyzed_offset",
                  true,
                  whole(1, Integer.MAX_VALUE),
                  "DocumentLimits")
              .read("index.query.default_field", true, LIST, "DocumentLimits")
              .read(
                  "index.mapping.total_fields.limit",
                  true,
                  whole(0, Long.MAX_VALUE),
                  "DocumentLimits")
              .read("index.mapping.depth.limit", true, whole(1, Long.MAX_VALUE), "DocumentLimits")
              .read(
                  "index.mapping.nested_fields.limit",
                  true,
                  whole(0, Long.MAX_VALUE),
                  "DocumentLimits")
              .read(
                  "index.mapping.nested_objects.limit",
                  true,
                  whole(0, Long.MAX_VALUE),
                  "DocumentLimits")
              .read(
                  "index.mapping.field_name_length.limit",
                  true,
                  whole(1, Long.MAX_VALUE),
                  "DocumentLimits")
              .read(
                  "index.mapping.dimension_fields.limit",
                  true,
                  whole(0, Long.MAX_VALUE),
                  "DimensionRules")
              .read(
                  "index.mapping.total_fields.ignore_dynamic_beyond_limit",
                  true,
                  BOOL,
                  "DocumentLimits")
              .read("index.max_ngram_diff", true, whole(0, Integer.MAX_VALUE), "Ngrams")
              .read("index.max_shingle_diff", true, whole(0, Integer.MAX_VALUE), "GramFilters")
              .read(
                  "index.max_slices_per_scroll", true, whole(1, Integer.MAX_VALUE), "SearchSlices")
              .read(
                  "index.analyze.max_token_count", true, whole(1, Integer.MAX_VALUE), "AnalyzeApi")
              .read("index.requests.cache.enable", true, BOOL, "RequestKeys")
              .read("index.queries.cache.enabled", false, BOOL, "CopyCaches")
              .read("index.mapping.ignore_malformed", false, BOOL, "DateType")
              .read("index.mapping.coerce", false, BOOL, "NumberType")
              .read("index.default_pipeline", true, TEXT, "IngestPipelines")
              .read("index.final_pipeline", true, TEXT, "IngestPipelines")
              .read("index.blocks.read_only", true, BOOL, "IndexBlocks")
              .read("index.blocks.read_only_allow_delete", true, BOOL, "IndexBlocks")
              .read("index.blocks.read", true, BOOL, "IndexBlocks")
              .read("index.blocks.write", true, BOOL, "IndexBlocks")
              .read("index.blocks.metadata", true, BOOL, "IndexBlocks")
              .done());

  private ReadIndexSettings() {}
}
