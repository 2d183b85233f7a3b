package dev.holdfast.search.coordination;

import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.Collapse;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The other hits of each group of a collapsed search: one search a group.
public record CollapsedGroups(SearchSource source) {
  /// Runs a search over the same indices.
  @FunctionalInterface
  public interface Search {
    MergedAnswer run(SearchSource source) throws IOException, InterruptedException;
  }

  public MergedAnswer expand(MergedAnswer answer, Search search)
      throws IOException, InterruptedException {
    Collapse collapse = source.extras().collapse();
    if (collapse == null || collapse.innerHits().isEmpty()) {
      return answer;
    }
    List<Hit> hits = new ArrayList<>();
    for (Hit hit : answer.hits()) {
      Map<String, InnerHits> inner = new LinkedHashMap<>(hit.innerHits());
      for (Collapse.Inner one : collapse.innerHits()) {
        SearchSource group =
            source.forGroup(SearchParser.parse(one.body()), collapse.field(), hit.group());
        MergedAnswer found = search.run(group);
        inner.put(
            one.name(),
            new InnerHits(
                Math.max(0, found.total()),
                found.isTotalExact(),
                found.merge().maxScore(),
                found.hits()));
      }
      hits.add(hit.withInnerHits(inner));
    }
    return answer.withHits(hits);
  }
}
