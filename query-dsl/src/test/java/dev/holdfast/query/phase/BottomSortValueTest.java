package dev.holdfast.query.phase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.SearchTestIndex;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class BottomSortValueTest {
  private static final String PROPERTIES =
      """
      {"long":{"type":"long"},"double":{"type":"double"},"integer":{"type":"integer"},
       "word":{"type":"keyword"}}
      """;

  @RepeatedTest(3)
  void shardsLeftOutAddNothing() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<SearchTestIndex> shards = new ArrayList<>();
    int leftOut = 0;
    try {
      // given shards that overlap a little, or not at all
      for (int i = 0; i < 5; i++) {
        shards.add(shard(random, i * random.nextInt(200)));
      }
      for (int i = 0; i < 100; i++) {
        SearchSource source = SearchParser.parse(Json.parseObject(body(random)));
        List<ShardResult> all = new ArrayList<>();
        for (SearchTestIndex shard : shards) {
          all.add(run(source, shard));
        }
        // when each is asked for what is left, in any order
        BottomSortValue bottom = BottomSortValue.of(source);
        List<ShardResult> left = new ArrayList<>(Collections.nCopies(shards.size(), null));
        List<Integer> positions = new ArrayList<>(List.of(0, 1, 2, 3, 4));
        Collections.shuffle(positions, random);
        for (int position : positions) {
          SearchTestIndex shard = shards.get(position);
          SearchSource asked = bottom.left(bottom.bestOf(shard.context()));
          leftOut += asked == source ? 0 : 1;
          ShardResult result = run(asked, shard);
          bottom.add(result);
          left.set(position, result);
        }
        // then
        assertThat(shown(source, left)).as(source.body().toString()).isEqualTo(shown(source, all));
      }
      assertThat(leftOut).isGreaterThan(5);
    } finally {
      for (SearchTestIndex shard : shards) {
        shard.close();
      }
    }
  }

  @Test
  void isForHitsAndTotalsOnly() {
    assertThat(of("'sort':['long']")).isNotNull();
    assertThat(of("'size':3")).isNull();
    assertThat(of("'sort':['long'],'size':0")).isNull();
    assertThat(of("'sort':['long'],'track_scores':true")).isNull();
    assertThat(of("'sort':['long'],'aggs':{'m':{'max':{'field':'long'}}}")).isNull();
    assertThat(of("'sort':['long'],'collapse':{'field':'word'}")).isNull();
    assertThat(of("'sort':['long'],'terminate_after':7")).isNull();
    assertThat(of("'sort':['long'],'min_score':1")).isNull();
  }

  private static BottomSortValue of(String body) {
    return BottomSortValue.of(
        SearchParser.parse(Json.parseObject("{" + body.replace('\'', '"') + "}")));
  }

  private static SearchTestIndex shard(Random random, int base) throws IOException {
    SearchTestIndex shard = new SearchTestIndex(PROPERTIES);
    for (int segment = random.nextInt(3); segment >= 0; segment--) {
      List<String> documents = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        ObjectNode node = Json.object().put("word", "w" + random.nextInt(4));
        if (random.nextInt(9) > 0) {
          node.put("long", base + random.nextInt(100));
          node.put("integer", base + random.nextInt(100));
          node.putArray("double").add(base + random.nextInt(90) / 4.0).add(base);
        }
        documents.add(segment + "-" + i);
        documents.add(node.toString());
      }
      shard.add(documents.toArray(String[]::new));
    }
    return shard;
  }

  private static String body(Random random) {
    ObjectNode body = Json.object();
    body.put("size", 1 + random.nextInt(random.nextBoolean() ? 10 : 80));
    body.put("from", random.nextInt(3) == 0 ? random.nextInt(9) : 0);
    switch (random.nextInt(4)) {
      case 0 -> body.put("track_total_hits", true);
      case 1 -> body.put("track_total_hits", false);
      case 2 -> body.put("track_total_hits", 1 + random.nextInt(100));
      default -> {}
    }
    String[] fields = {"long", "integer", "double", "word"};
    ArrayNode sort = body.putArray("sort");
    ObjectNode first = sort.addObject().putObject(fields[random.nextInt(fields.length)]);
    first.put("order", random.nextBoolean() ? "asc" : "desc");
    switch (random.nextInt(8)) {
      case 0 -> first.put("mode", "min");
      case 1 -> first.put("mode", "max");
      case 2 -> first.put("missing", "_first");
      default -> {}
    }
    if (random.nextBoolean()) {
      sort.addObject().put("integer", "desc");
    }
    if (random.nextBoolean()) {
      body.putObject("query").putObject("term").put("word", "w" + random.nextInt(4));
    }
    return body.toString();
  }

  private static ShardResult run(SearchSource source, SearchTestIndex shard) throws IOException {
    return QueryPhase.run(source, shard.context(), () -> false);
  }

  private static String shown(SearchSource source, List<ShardResult> results) {
    SearchMerge merge = SearchMerge.of(source, results, 65_536);
    StringBuilder shown = new StringBuilder();
    shown.append(merge.total()).append(merge.isTotalExact() ? " eq" : " gte");
    for (SearchMerge.MergedHit merged : merge.hits()) {
      shown.append('\n').append(merged.shard()).append(' ').append(merged.hit().doc());
      shown.append(' ').append(merged.hit().sortValues());
    }
    return shown.toString();
  }
}
