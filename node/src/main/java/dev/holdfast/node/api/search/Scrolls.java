package dev.holdfast.node.api.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.http.TimeValue;
import dev.holdfast.query.SearchSource;
import dev.holdfast.search.ContextId;
import dev.holdfast.search.ContextIds;
import dev.holdfast.search.SearchResponse;
import dev.holdfast.search.Searches;
import dev.holdfast.search.ShardContexts;
import dev.holdfast.search.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Searches whose hits come page by page, all from the commits of the first page.
public final class Scrolls {
  /// `search.max_keep_alive`.
  private static final Duration KEEP_ALIVE_MAX = Duration.ofHours(24);

  private final Metadata metadata;
  private final Searches searches;

  public Scrolls(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
  }

  /// A page, and the id that the next is asked for with.
  public record Page(String scrollId, SearchResponse response) {}

  /// @throws Refusal when it is not positive, or too long
  static Duration keepAlive(String name, String text) {
    Duration keepAlive = TimeValue.parse(name, text);
    if (keepAlive.compareTo(KEEP_ALIVE_MAX) > 0) {
      throw Refusal.badArgument(
          "Keep alive for request ("
              + text
              + ") is too large. It must be less than ("
              + TimeValue.text(KEEP_ALIVE_MAX.toMillis())
              + "). This limit can be set by changing the [search.max_keep_alive] cluster level"
              + " setting.");
    }
    return keepAlive;
  }

  /// The first page.
  ///
  /// @param body of the search, as it is read for this page and every other
  public Page begin(
      List<ShardTarget> targets, ObjectNode body, Duration keepAlive, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    body.put("track_total_hits", true);
    SearchSource source = source(body);
    body.remove(List.of("aggs", "aggregations", "suggest", "from", "profile"));
    String request = body.toString();
    List<ContextIds.Held> held = new ArrayList<>();
    List<ShardTarget> pinned = new ArrayList<>();
    ContextIds ids = new ContextIds(ShardContexts.Kind.SCROLL, List.of());
    try {
      for (ShardTarget target : targets) {
        ContextId context =
            searches.contexts().open(target, ShardContexts.Kind.SCROLL, keepAlive, request);
        held.add(new ContextIds.Held(target.shard(), context));
        pinned.add(target.at(context));
      }
      ids = new ContextIds(ShardContexts.Kind.SCROLL, held);
      return new Page(ids.text(), searches.searchShards(pinned, source, isCancelled));
    } catch (IOException | InterruptedException | RuntimeException e) {
      held.forEach(one -> searches.contexts().close(one.context()));
      throw e;
    }
  }

  private SearchSource source(ObjectNode body) {
    return IndexBoosts.resolve(
        SearchSource.parse(body), metadata.current(), IndexExpression.Options.SEARCH);
  }

  /// The next page.
  ///
  /// @throws Refusal `search_phase_execution_exception` around `search_context_missing_exception`
  ///   when the scroll is over or unknown
  public Page next(String scrollId, Duration keepAlive, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    ContextIds ids = ContextIds.parse(ShardContexts.Kind.SCROLL, scrollId);
    List<ShardTarget> pinned = new ArrayList<>();
    for (ContextIds.Held held : ids.shards()) {
      pinned.add(ShardTarget.of(held.shard()).at(held.context()));
      boolean _ = searches.contexts().keep(held.context(), keepAlive);
    }
    try {
      SearchSource source =
          ids.shards().isEmpty()
              ? SearchSource.parse(Json.object())
              : source(
                  Json.parseObject(searches.contexts().request(ids.shards().getFirst().context())));
      return new Page(scrollId, searches.searchShards(pinned, source, isCancelled));
    } catch (Refusal e) {
      throw e.type() == ErrorType.SEARCH_CONTEXT_MISSING
          ? Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "all shards failed", e)
              .with("phase", "query")
              .with("grouped", true)
          : e;
    }
  }

  /// Ends every scroll of this node.
  ///
  /// @return how many of their commits were still open
  public int clearAll() {
    return searches.contexts().closeAll(ShardContexts.Kind.SCROLL);
  }

  /// Ends a scroll.
  ///
  /// @return how many of its commits were still open
  public int clear(String scrollId) {
    int closed = 0;
    for (ContextIds.Held held : ContextIds.parse(ShardContexts.Kind.SCROLL, scrollId).shards()) {
      closed += searches.contexts().close(held.context()) ? 1 : 0;
    }
    return closed;
  }
}
