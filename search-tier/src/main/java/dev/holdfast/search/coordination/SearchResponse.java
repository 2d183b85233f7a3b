package dev.holdfast.search.coordination;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.result.Hit;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// The answer to a search, merged and fetched.
public interface SearchResponse {
  /// Matching documents; a lower bound when [#isTotalExact] is false, -1 when not tracked.
  long total();

  boolean isTotalExact();

  /// Whether `terminate_after` stopped it on any shard.
  boolean isTerminatedEarly();

  /// Shards asked and failed.
  int shards();

  int failedShards();

  /// The hits of the page, best first.
  List<Hit> hits();

  /// Roughly what it holds, for the budget of who keeps them until the answer is written.
  default long heldBytes() {
    return hits().stream().mapToLong(Hit::heldBytes).sum();
  }

  /// Why shards failed, as elements of `_shards.failures`: those of an index that failed for the
  /// same reason are one.
  List<Map<String, Object>> shardFailures();

  /// @throws dev.holdfast.world.Refusal `search_phase_execution_exception` when shards failed, with
  ///   the status of what they failed with
  void requireWhole();

  /// The same, which says of more shards that they failed: in searches that it is made of.
  SearchResponse withFailuresOf(List<SearchResponse> parts);

  /// The same without its hits; what is said about them stays.
  SearchResponse withoutHits();

  /// Writes the members `took`, `timed_out`, `_shards`, `hits`, `aggregations` into the open
  /// object.
  ///
  /// @param totalAsInteger `rest_total_hits_as_int`
  /// @param typedKeys `typed_keys`
  void write(JsonGenerator out, boolean totalAsInteger, boolean typedKeys) throws IOException;
}
