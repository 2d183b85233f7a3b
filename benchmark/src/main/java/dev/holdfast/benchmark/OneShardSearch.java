package dev.holdfast.benchmark;

import dev.holdfast.document.Mapping;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.fetch.FetchPhase;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.phase.QueryPhase;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;

/// Query and fetch phase over one reader, as a search copy runs them.
final class OneShardSearch {
  private static final Mapping MAPPING = LogShard.mapping();

  private OneShardSearch() {}

  static List<Hit> run(DirectoryReader reader, String body) throws IOException {
    SearchSource source = SearchParser.parse(Json.parseObject(body));
    QueryContext context =
        new QueryContext(
            "logs", 0, MAPPING, ElasticsearchSimilarity.searcher(reader), 0, () -> false);
    ShardResult result = QueryPhase.run(source, context, () -> false);
    List<Hit> hits = FetchPhase.run(source, context, result.hits());
    if (hits.isEmpty()) {
      throw new IllegalStateException("a query without hits measures nothing: " + body);
    }
    return hits;
  }
}
