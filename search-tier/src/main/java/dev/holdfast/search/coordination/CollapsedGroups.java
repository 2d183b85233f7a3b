package dev.holdfast.search.coordination;

import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.Collapse;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    // Asked for as they come: all of them are there until the search is answered.
    try (Reservation memory = WorkMemory.part()) {
      return answer.withHits(expanded(answer.hits(), collapse, search, memory));
    }
  }

  private List<Hit> expanded(
      List<Hit> found, Collapse collapse, Search search, @Nullable Reservation memory)
      throws IOException, InterruptedException {
    List<Hit> hits = new ArrayList<>();
    for (Hit hit : found) {
      Map<String, InnerHits> inner = new LinkedHashMap<>(hit.innerHits());
      for (Collapse.Inner one : collapse.innerHits()) {
        SearchSource group =
            source.forGroup(SearchParser.parse(one.body()), collapse.field(), hit.group());
        MergedAnswer inside = search.run(group);
        if (memory != null) {
          memory.add(inside.heldBytes());
        }
        inner.put(
            one.name(),
            new InnerHits(
                Math.max(0, inside.total()),
                inside.isTotalExact(),
                inside.merge().maxScore(),
                inside.hits()));
      }
      hits.add(hit.withInnerHits(inner));
    }
    return hits;
  }
}
