package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.parse.Aggregations;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/// Runs aggregations over shards as a search does, each shard's results through bytes.
public final class AggregationAnswer {
  private AggregationAnswer() {}

  static AggregationTree tree(String aggs) {
    return Aggregations.parse(
        Json.parseObject(aggs.replace('\'', '"')), AggregationTestShard::clause);
  }

  public static JsonNode of(String aggs, AggregationTestShard... shards) throws IOException {
    return of(aggs, "{'match_all':{}}", false, shards);
  }

  public static JsonNode of(
      String aggs, String query, boolean isTyped, AggregationTestShard... shards)
      throws IOException {
    AggregationTree tree = tree(aggs);
    Results all = null;
    for (AggregationTestShard shard : shards) {
      JsonNode parsed = Json.parse(query.replace('\'', '"'));
      Results sent = travel(tree, shard.collect(tree, shard.query(parsed)));
      all = all == null ? sent : all.merge(sent);
    }
    Results reduced = tree.reduce(all == null ? tree.empty() : all, Reduction.BUCKETS_MAX);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      out.writeStartObject();
      reduced.render(out, isTyped);
      out.writeEndObject();
    }
    return Json.parse(bytes.toByteArray());
  }

  static Results travel(AggregationTree tree, Results results) throws IOException {
    WireOutput out = new WireOutput();
    results.write(out);
    return tree.read(new PartialInput(new WireInput(out.toArray()), new StandardMappings()));
  }

  public static List<String> lines(String... documents) {
    return List.of(documents).stream().map(each -> each.replace('\'', '"')).toList();
  }
}
