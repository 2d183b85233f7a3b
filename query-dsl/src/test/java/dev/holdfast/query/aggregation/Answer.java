package dev.holdfast.query.aggregation;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.StandardMappings;
import dev.holdfast.world.Json;
import dev.holdfast.world.Reservation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/// Runs aggregations over shards as a search does, each shard's results through bytes.
final class Answer {
  private Answer() {}

  static AggregationTree tree(String aggs) {
    return Aggregations.parse(Json.parseObject(aggs.replace('\'', '"')), TestShard::clause);
  }

  static JsonNode of(String aggs, TestShard... shards) throws IOException {
    return of(aggs, "{'match_all':{}}", false, shards);
  }

  static JsonNode of(String aggs, String query, boolean isTyped, TestShard... shards)
      throws IOException {
    AggregationTree tree = tree(aggs);
    Results all = null;
    for (TestShard shard : shards) {
      JsonNode parsed = Json.parse(query.replace('\'', '"'));
      Results sent = travel(tree, shard.collect(tree, shard.query(parsed)));
      all = all == null ? sent : all.merge(sent);
    }
    Results reduced =
        tree.reduce(
            all == null ? tree.empty() : all,
            new Reduction(Reduction.BUCKETS_MAX, Reservation.ofHeap()));
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

  static List<String> lines(String... documents) {
    return List.of(documents).stream().map(each -> each.replace('\'', '"')).toList();
  }
}
