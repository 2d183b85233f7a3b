package dev.holdfast.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;

/// The documents of suggestions.
public final class CompletedHits {
  private CompletedHits() {}

  /// @param docs numbers within the shard's reader
  public static List<Hit> of(QueryContext context, List<Integer> docs) throws IOException {
    ObjectNode all = Json.object();
    List<ShardHit> hits = docs.stream().map(doc -> new ShardHit(doc, 1, List.of())).toList();
    return FetchPhase.run(SearchSource.parse(all), context, hits);
  }
}
