package dev.holdfast.api.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Documents with many values in each source of a `composite`: those that are on no page need not
/// be combined.
final class CompositeProductsTest {
  private static final List<String> ORDERS = List.of("asc", "desc");

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void aPageOfMilliardsOfCombinationsIsThereSoon(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      fill(node, 1200);
      for (String order : ORDERS) {
        JsonNode page = page(node, 10, order, order, order, null);
        assertThat(page.path("buckets")).hasSize(10);
      }
    }
  }

  @Test
  void pagesHaveEachCombinationOnceAndInOrder(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      fill(node, 6);
      for (String first : ORDERS) {
        for (String second : ORDERS) {
          for (String third : ORDERS) {
            List<String> read = new ArrayList<>();
            @Nullable JsonNode after = null;
            do {
              JsonNode page = page(node, 7, first, second, third, after);
              page.path("buckets").forEach(bucket -> read.add(bucket.path("key").toString()));
              page.path("buckets")
                  .forEach(bucket -> assertThat(bucket.at("/m/value").asInt()).isEqualTo(1));
              after = page.get("after_key");
            } while (after != null);
            assertThat(read).isEqualTo(all(first, second, third));
          }
        }
      }
    }
  }

  private static void fill(NodeFixture node, int values) throws Exception {
    String mapping =
        "{'mappings':{'properties':{'k':{'type':'keyword'},'l':{'type':'long'},'d':{'type':'double'}}}}";
    node.ok("PUT", "/a", mapping.replace('\'', '"'));
    String words =
        IntStream.range(0, values).mapToObj(i -> "\"w" + i + "\"").collect(Collectors.joining(","));
    String numbers =
        IntStream.range(0, values).mapToObj(Integer::toString).collect(Collectors.joining(","));
    node.ok(
        "POST",
        "/a/_doc?refresh=true",
        "{\"k\":[" + words + "],\"l\":[" + numbers + "],\"d\":[" + numbers + "],\"n\":1}");
  }

  private static JsonNode page(
      NodeFixture node,
      int size,
      String first,
      String second,
      String third,
      @Nullable JsonNode after)
      throws Exception {
    String sources =
        "{'k':{'terms':{'field':'k','order':'%s'}}},{'l':{'terms':{'field':'l','order':'%s'}}},"
            + "{'d':{'terms':{'field':'d','order':'%s'}}}";
    String body =
        "{'size':0,'aggs':{'a':{'composite':{'size':%d,'sources':[%s]%s},"
            + "'aggs':{'m':{'max':{'field':'n'}}}}}}";
    return node.ok(
            "POST",
            "/a/_search",
            body.formatted(
                    size,
                    sources.formatted(first, second, third),
                    after == null ? "" : ",'after':" + after)
                .replace('\'', '"'))
        .at("/aggregations/a");
  }

  private static List<String> all(String first, String second, String third) {
    List<String> all = new ArrayList<>();
    for (int k : places(first)) {
      for (int l : places(second)) {
        for (int d : places(third)) {
          all.add("{\"k\":\"w" + k + "\",\"l\":" + l + ",\"d\":" + d + ".0}");
        }
      }
    }
    return all;
  }

  private static int[] places(String order) {
    return IntStream.range(0, 6).map(i -> order.equals("asc") ? i : 5 - i).toArray();
  }
}
