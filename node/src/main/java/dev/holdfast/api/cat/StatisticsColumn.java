package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The columns of `_cat` tables that show what `_stats` and `_nodes/stats` count, hidden until
/// asked for: their cells are read from those answers.
///
/// @param tables that have it: `i`ndices, `s`hards, `n`odes
record StatisticsColumn(String name, String aliases, String tables, String description) {
  private static final List<StatisticsColumn> ALL =
      read(
          """
          completion.size | cs,completionSize | isn | size of completion
          fielddata.memory_size | fm,fielddataMemory | isn | used fielddata cache
          fielddata.evictions | fe,fielddataEvictions | isn | fielddata evictions
          query_cache.memory_size | qcm,queryCacheMemory | isn | used query cache
          query_cache.evictions | qce,queryCacheEvictions | isn | query cache evictions
          query_cache.hit_count | qchc,queryCacheHitCount | n | query cache hit counts
          query_cache.miss_count | qcmc,queryCacheMissCount | n | query cache miss counts
          request_cache.memory_size | rcm,requestCacheMemory | in | used request cache
          request_cache.evictions | rce,requestCacheEvictions | in | request cache evictions
          request_cache.hit_count | rchc,requestCacheHitCount | in | request cache hit count
          request_cache.miss_count | rcmc,requestCacheMissCount | in | request cache miss count
          flush.total | ft,flushTotal | isn | number of flushes
          flush.total_time | ftt,flushTotalTime | isn | time spent in flush
          get.current | gc,getCurrent | isn | number of current get ops
          get.time | gti,getTime | isn | time spent in get
          get.total | gto,getTotal | isn | number of get ops
          get.exists_time | geti,getExistsTime | isn | time spent in successful gets
          get.exists_total | geto,getExistsTotal | isn | number of successful gets
          get.missing_time | gmti,getMissingTime | isn | time spent in failed gets
          get.missing_total | gmto,getMissingTotal | isn | number of failed gets
          indexing.delete_current | idc,indexingDeleteCurrent | isn | number of current deletions
          indexing.delete_time | idti,indexingDeleteTime | isn | time spent in deletions
          indexing.delete_total | idto,indexingDeleteTotal | isn | number of delete ops
          indexing.index_current | iic,indexingIndexCurrent | isn | number of current indexing ops
          indexing.index_time | iiti,indexingIndexTime | isn | time spent in indexing
          indexing.index_total | iito,indexingIndexTotal | isn | number of indexing ops
          indexing.index_failed | iif,indexingIndexFailed | isn | number of failed indexing ops
          indexing.index_failed_due_to_version_conflict | iifvc,indexingIndexFailedDueToVersionConflict | isn | number of failed indexing ops due to version conflict
          merges.current | mc,mergesCurrent | isn | number of current merges
          merges.current_docs | mcd,mergesCurrentDocs | isn | number of current merging docs
          merges.current_size | mcs,mergesCurrentSize | isn | size of current merges
          merges.total | mt,mergesTotal | isn | number of completed merge ops
          merges.total_docs | mtd,mergesTotalDocs | isn | docs merged
          merges.total_size | mts,mergesTotalSize | isn | size merged
          merges.total_time | mtt,mergesTotalTime | isn | time spent in merges
          refresh.total | rto,refreshTotal | isn | total refreshes
          refresh.time | rti,refreshTime | isn | time spent in refreshes
          refresh.external_total | rto,refreshTotal | isn | total external refreshes
          refresh.external_time | rti,refreshTime | isn | time spent in external refreshes
          refresh.listeners | rli,refreshListeners | isn | number of pending refresh listeners
          script.compilations | scrcc,scriptCompilations | n | script compilations
          script.cache_evictions | scrce,scriptCacheEvictions | n | script cache evictions
          script.compilation_limit_triggered | scrclt,scriptCacheCompilationLimitTriggered | n | script cache compilation limit triggered
          search.fetch_current | sfc,searchFetchCurrent | isn | current fetch phase ops
          search.fetch_time | sfti,searchFetchTime | isn | time spent in fetch phase
          search.fetch_total | sfto,searchFetchTotal | isn | total fetch ops
          search.open_contexts | so,searchOpenContexts | isn | open search contexts
          search.query_current | sqc,searchQueryCurrent | isn | current query phase ops
          search.query_time | sqti,searchQueryTime | isn | time spent in query phase
          search.query_total | sqto,searchQueryTotal | isn | total query phase ops
          search.scroll_current | scc,searchScrollCurrent | isn | open scroll contexts
          search.scroll_time | scti,searchScrollTime | isn | time scroll contexts held open
          search.scroll_total | scto,searchScrollTotal | isn | completed scroll contexts
          segments.count | sc,segmentsCount | isn | number of segments
          segments.memory | sm,segmentsMemory | isn | memory used by segments
          segments.index_writer_memory | siwm,segmentsIndexWriterMemory | isn | memory used by index writer
          segments.version_map_memory | svmm,segmentsVersionMapMemory | isn | memory used by version map
          segments.fixed_bitset_memory | sfbm,fixedBitsetMemory | isn | memory used by fixed bit sets for nested objects
          seq_no.max | sqm,maxSeqNo | s | max sequence number
          seq_no.local_checkpoint | sql,localCheckpoint | s | local checkpoint
          seq_no.global_checkpoint | sqg,globalCheckpoint | s | global checkpoint
          warmer.current | wc,warmerCurrent | is | current warmer ops
          warmer.total | wto,warmerTotal | is | total warmer ops
          warmer.total_time | wtt,warmerTotalTime | is | time spent in warmers
          path.data | pd,dataPath | s | shard data path
          path.state | ps,statsPath | s | shard state path
          suggest.current | suc,suggestCurrent | in | number of current suggest ops
          suggest.time | suti,suggestTime | in | time spend in suggest
          suggest.total | suto,suggestTotal | in | number of suggest ops
          memory.total | tm,memoryTotal | i | total used memory
          bulk.total_operations | bto,bulkTotalOperation | isn | number of bulk shard ops
          bulk.total_time | btti,bulkTotalTime | isn | time spend in shard bulk
          bulk.total_size_in_bytes | btsi,bulkTotalSizeInBytes | isn | total size in bytes of shard bulk
          bulk.avg_time | bati,bulkAvgTime | isn | average time spend in shard bulk
          bulk.avg_size_in_bytes | basi,bulkAvgSizeInBytes | isn | average size in bytes of shard bulk
          shard_stats.total_count | sstc,shards,shardStatsTotalCount | n | number of shards assigned
          mappings.total_count | mtc,mappingsTotalCount | n | number of mappings
          mappings.total_estimated_overhead_in_bytes | mteo,mappingsTotalEstimatedOverheadInBytes | n | estimated overhead in bytes of mappings
          dense_vector.value_count | dvc,denseVectorCount | is | total count of indexed dense vector
          sparse_vector.value_count | svc,sparseVectorCount | is | total count of indexed sparse vectors
          """);

  /// Where a column's number is, when not where its name says.
  private static final Map<String, String> PLACES =
      Map.of(
          "memory.total", "segments.memory",
          "refresh.external_time", "refresh.external_total_time",
          "refresh.time", "refresh.total_time",
          "segments.fixed_bitset_memory", "segments.fixed_bit_set_memory",
          "suggest.current", "search.suggest_current",
          "suggest.time", "search.suggest_time",
          "suggest.total", "search.suggest_total");

  private static List<StatisticsColumn> read(String lines) {
    List<StatisticsColumn> all = new ArrayList<>();
    for (String line : lines.split("\n")) {
      String[] parts = line.split(" \\| ", -1);
      all.add(new StatisticsColumn(parts[0], parts[1], parts[2], parts[3]));
    }
    return List.copyOf(all);
  }

  /// Those of a table, in its order.
  static List<StatisticsColumn> of(char table) {
    return ALL.stream().filter(column -> column.tables.indexOf(table) >= 0).toList();
  }

  /// Counters as a section of `_stats` shows them.
  static ObjectNode json(Writer writer) throws IOException {
    try (TokenBuffer out = new TokenBuffer(Json.MAPPER, false)) {
      out.writeStartObject();
      writer.write(new StatisticsWriter(out, false));
      out.writeEndObject();
      return Json.MAPPER.readTree(out.asParser());
    }
  }

  /// Writes sections of counters.
  interface Writer {
    void write(StatisticsWriter figures) throws IOException;
  }

  /// The cell of one row; null where nothing is counted.
  ///
  /// @param stats as [#json] makes them
  @Nullable Object cell(JsonNode stats) {
    String place = PLACES.getOrDefault(name, name);
    int dot = place.indexOf('.');
    JsonNode section = stats.path(place.substring(0, dot));
    String leaf = place.substring(dot + 1);
    if (section.has(leaf)) {
      JsonNode plain = section.get(leaf);
      return plain.isNumber() ? (Object) plain.longValue() : plain.asText();
    }
    if (section.has(leaf + "_in_bytes")) {
      return new ByteSize(Math.max(0, section.get(leaf + "_in_bytes").longValue()));
    }
    return section.has(leaf + "_in_millis")
        ? Duration.ofMillis(section.get(leaf + "_in_millis").longValue())
        : null;
  }
}
