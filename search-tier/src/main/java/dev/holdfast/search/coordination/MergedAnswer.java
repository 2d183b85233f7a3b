package dev.holdfast.search.coordination;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.IntegerTotals;
import dev.holdfast.query.suggest.SuggestRequest;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.search.node.ShardFailures;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A search's merged and fetched answer.
///
/// @param mergedBytes roughly, what the merge holds beside hits
/// @param profiles one a shard that was profiled
/// @param tookMillis from the request's arrival here
public record MergedAnswer(
    SearchSource source,
    SearchMerge merge,
    long mergedBytes,
    List<Hit> hits,
    int shards,
    List<ShardFailure> failures,
    List<ObjectNode> profiles,
    long tookMillis)
    implements SearchResponse {
  /// This answer with other hits.
  MergedAnswer withHits(List<Hit> others) {
    return new MergedAnswer(
        source, merge, mergedBytes, others, shards, failures, profiles, tookMillis);
  }

  @Override
  public long heldBytes() {
    return mergedBytes + SearchResponse.super.heldBytes();
  }

  @Override
  public boolean isTerminatedEarly() {
    return merge.isTerminatedEarly();
  }

  @Override
  public SearchResponse withoutHits() {
    return withHits(List.of());
  }

  @Override
  public long total() {
    return merge.total();
  }

  @Override
  public boolean isTotalExact() {
    return merge.isTotalExact();
  }

  @Override
  public List<Map<String, Object>> shardFailures() {
    return new ShardFailures(failures).toMaps();
  }

  @Override
  public void requireWhole() {
    if (!failures.isEmpty()) {
      throw new ShardFailures(failures).ofSome();
    }
  }

  @Override
  public int failedShards() {
    return failures.size();
  }

  @Override
  public SearchResponse withFailuresOf(List<SearchResponse> parts) {
    Map<ShardId, ShardFailure> all = new LinkedHashMap<>();
    failures.forEach(failure -> all.put(failure.shard(), failure));
    for (SearchResponse part : parts) {
      if (part instanceof MergedAnswer answer) {
        answer.failures.forEach(failure -> all.putIfAbsent(failure.shard(), failure));
      }
    }
    return new MergedAnswer(
        source, merge, mergedBytes, hits, shards, List.copyOf(all.values()), profiles, tookMillis);
  }

  @Override
  public void write(JsonGenerator out, boolean totalAsInteger, boolean typedKeys)
      throws IOException {
    out.writeNumberField("took", tookMillis);
    out.writeBooleanField("timed_out", merge.isTimedOut());
    if (source.terminateAfter() > 0) {
      out.writeBooleanField("terminated_early", merge.isTerminatedEarly());
    }
    writeShards(out);
    writeHits(out, totalAsInteger);
    if (!source.aggregations().isEmpty()) {
      out.writeObjectFieldStart("aggregations");
      merge.aggregations().render(totalAsInteger ? new IntegerTotals(out) : out, typedKeys);
      out.writeEndObject();
    }
    SuggestRequest suggest = source.extras().suggest();
    if (suggest != null) {
      out.writeFieldName("suggest");
      suggest.write(out, merge.suggestions(), typedKeys);
    }
    if (source.extras().isProfiled()) {
      out.writeObjectFieldStart("profile");
      out.writeArrayFieldStart("shards");
      for (ObjectNode profile : profiles) {
        out.writeTree(profile);
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private void writeShards(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("_shards");
    out.writeNumberField("total", shards);
    out.writeNumberField("successful", shards - failures.size());
    out.writeNumberField("skipped", 0);
    out.writeNumberField("failed", failures.size());
    if (!failures.isEmpty()) {
      out.writeArrayFieldStart("failures");
      for (Map<String, Object> failure : shardFailures()) {
        out.writePOJO(failure);
      }
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private void writeHits(JsonGenerator out, boolean totalAsInteger) throws IOException {
    out.writeObjectFieldStart("hits");
    if (totalAsInteger) {
      out.writeNumberField("total", merge.total());
    } else if (merge.total() >= 0) {
      out.writeObjectFieldStart("total");
      out.writeNumberField("value", merge.total());
      out.writeStringField("relation", merge.isTotalExact() ? "eq" : "gte");
      out.writeEndObject();
    }
    if (shards == 0) {
      out.writeNumberField("max_score", 0.0f);
    } else if (Float.isNaN(merge.maxScore()) || source.size() == 0) {
      out.writeNullField("max_score");
    } else {
      out.writeNumberField("max_score", merge.maxScore());
    }
    out.writeArrayFieldStart("hits");
    for (Hit hit : hits) {
      hit.write(out, totalAsInteger);
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
