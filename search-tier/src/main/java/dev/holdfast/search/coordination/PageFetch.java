package dev.holdfast.search.coordination;

import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.choice.AskedShard;
import dev.holdfast.search.choice.Fanout;
import dev.holdfast.search.choice.NextCopies;
import dev.holdfast.search.context.KeptReaders;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.Page;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The fetch phase of a search: the hits of the page from the nodes that found them, each asked
/// once.
final class PageFetch {
  private final SearchNodes nodes;
  private final Fanout fanout;
  private final SearchSource source;
  private final NextCopies copies;
  private final KeptReaders kept;

  PageFetch(
      SearchNodes nodes, Fanout fanout, SearchSource source, NextCopies copies, KeptReaders kept) {
    this.nodes = nodes;
    this.fanout = fanout;
    this.source = source;
    this.copies = copies;
    this.kept = kept;
  }

  /// The hits of the page are gone: the node that had them, or its readers.
  static final class HitsLost extends Exception {
    private static final long serialVersionUID = 1L;

    final transient Throwable why;

    HitsLost(Throwable why) {
      super(why);
      this.why = why;
    }
  }

  /// The hits of the page, each node's together.
  List<Hit> fetch(List<AskedShard> shards) throws IOException, InterruptedException, HitsLost {
    List<AskedShard> answered = shards.stream().filter(asked -> asked.success() != null).toList();
    List<ShardResult> results = new ArrayList<>();
    answered.forEach(asked -> results.add(Objects.requireNonNull(asked.result)));
    if (source.size() == 0 || results.isEmpty()) {
      return List.of();
    }
    Page page = Page.of(SearchMerge.hits(source, results), results.size());
    Map<String, List<Integer>> byContext = new LinkedHashMap<>();
    for (int i = 0; i < page.shards().size(); i++) {
      AskedShard asked = answered.get(page.shards().get(i).position());
      byContext.computeIfAbsent(asked.member + "/" + asked.search, _ -> new ArrayList<>()).add(i);
    }
    Map<String, Fanout.Asking<List<Hit>>> asking = new LinkedHashMap<>();
    byContext.forEach((key, ofContext) -> {
      AskedShard first = answered.get(page.shards().get(ofContext.getFirst()).position());
      List<FetchRequest.OfShard> wanted = new ArrayList<>();
      for (int i : ofContext) {
        Page.OfShard ofShard = page.shards().get(i);
        wanted.add(
            new FetchRequest.OfShard(answered.get(ofShard.position()).position, ofShard.hits()));
      }
      FetchRequest request = new FetchRequest(first.search, wanted);
      asking.put(key, () -> nodes.member(first.member).fetch(request));
    });
    List<List<Hit>> fetched = new ArrayList<>();
    page.shards().forEach(_ -> fetched.add(List.of()));
    for (Map.Entry<String, Fanout.Answered<List<Hit>>> entry : fanout.ask(asking).entrySet()) {
      List<Hit> hits = entry.getValue().answer();
      List<Integer> ofContext = byContext.getOrDefault(entry.getKey(), List.of());
      if (hits == null) {
        Throwable why = entry.getValue().failure();
        if (why instanceof Refusal refusal
            && NextCopies.isOfClient(refusal)
            && refusal.type() != ErrorType.SEARCH_CONTEXT_MISSING) {
          throw refusal;
        }
        copies.failed(answered.get(page.shards().get(ofContext.getFirst()).position()).member);
        throw new HitsLost(why == null ? new IOException("no answer") : why);
      }
      AskedShard first = answered.get(page.shards().get(ofContext.getFirst()).position());
      kept.remove(first.member, first.search); // fetched: nothing is left to be released
      int wanted = ofContext.stream().mapToInt(i -> page.shards().get(i).hits().size()).sum();
      Promise.keep(
          hits.size() == wanted,
          "each hit of a page is fetched",
          "wanted",
          wanted,
          "fetched",
          hits.size());
      int at = 0;
      for (int i : ofContext) {
        int size = page.shards().get(i).hits().size();
        fetched.set(i, hits.subList(at, at + size));
        at += size;
      }
    }
    return page.inOrder(fetched);
  }
}
