package dev.holdfast.query.fetch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.MatchAllClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;

/// The documents of suggestions.
public final class CompletionHits {
  private CompletionHits() {}

  /// @param docs numbers within the shard's reader
  public static List<Hit> of(SearchSource source, QueryContext context, List<Integer> docs)
      throws IOException {
    ObjectNode search = Json.object();
    JsonNode shown = source.body().get("_source");
    if (shown != null) {
      search.set("_source", shown);
    }
    List<ShardHit> hits = docs.stream().map(doc -> new ShardHit(doc, 1, List.of())).toList();
    return FetchPhase.run(
        SearchSource.plain(
            new MatchAllClause(),
            SearchSource.SIZE_DEFAULT,
            SearchSource.TOTAL_HITS_DEFAULT,
            SourceFilter.parse(shown),
            search),
        context,
        hits);
  }
}
