package dev.holdfast.search;

import dev.holdfast.query.Collapse;
import dev.holdfast.query.Hit;
import dev.holdfast.query.InnerHits;
import dev.holdfast.query.SearchParser;
import dev.holdfast.query.SearchSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The other hits of each group of a collapsed search: one search a group.
record Groups(SearchSource source) {
  /// Runs a search over the same indices.
  @FunctionalInterface
  interface Search {
    Answer run(SearchSource source) throws IOException, InterruptedException;
  }

  Answer expand(Answer answer, Search search) throws IOException, InterruptedException {
    Collapse collapse = source.extras().collapse();
    if (collapse == null || collapse.innerHits().isEmpty()) {
      return answer;
    }
    List<Hit> hits = new ArrayList<>();
    for (Hit hit : answer.hits()) {
      Map<String, InnerHits> inner = new LinkedHashMap<>();
      for (Collapse.Inner one : collapse.innerHits()) {
        SearchSource group =
            source.forGroup(SearchParser.parse(one.body()), collapse.field(), hit.group());
        Answer found = search.run(group);
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
