package dev.holdfast.search;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.query.Hit;
import dev.holdfast.query.SearchMerge;
import dev.holdfast.query.SearchSource;
import java.io.IOException;
import java.util.List;

/// A search's merged and fetched answer.
///
/// @param tookMillis from the request's arrival here
record Answer(
    SearchSource source,
    SearchMerge merge,
    List<Hit> hits,
    int shards,
    List<ShardFailure> failures,
    long tookMillis)
    implements SearchResponse {
  @Override
  public long total() {
    return merge.total();
  }

  @Override
  public boolean isTotalExact() {
    return merge.isTotalExact();
  }

  @Override
  public int failedShards() {
    return failures.size();
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
      merge.aggregations().render(out, typedKeys);
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
      for (ShardFailure failure : failures) {
        failure.write(out);
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
    if (Float.isNaN(merge.maxScore())) {
      out.writeNullField("max_score");
    } else {
      out.writeNumberField("max_score", merge.maxScore());
    }
    out.writeArrayFieldStart("hits");
    for (Hit hit : hits) {
      hit.write(out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
