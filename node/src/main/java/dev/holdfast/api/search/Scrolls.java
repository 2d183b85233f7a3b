package dev.holdfast.api.search;

import static dev.holdfast.search.node.ShardContexts.Kind.SCROLL;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression.Options;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.TimeValue;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.search.Searches;
import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.context.ScrollContexts;
import dev.holdfast.search.context.ScrollContexts.Progress;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.held.ScrollPosition;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.concurrent.RetryPauses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Searches whose hits come page by page, all from the commits of the first page. Two search nodes
/// keep the commit of each shard and know how far the scroll is: it goes on when one of them dies.
public final class Scrolls {
  private static final Logger LOG = LoggerFactory.getLogger(Scrolls.class);

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
  public static Duration keepAlive(String name, String text) {
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
  /// @param gathers whether every page is scored by the statistics of all shards
  public Page begin(
      List<ShardTarget> targets,
      ObjectNode body,
      boolean gathers,
      Duration keepAlive,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    body.put("track_total_hits", true);
    SearchSource source = source(body).gatheringStatistics(gathers);
    body.remove(List.of("aggs", "aggregations", "suggest", "from", "profile"));
    String request = (gathers ? GatheredStatistics.ASKED.beside(body) : body).toString();
    RetryPauses pauses = scrolls().pauses();
    while (true) {
      boolean isTriedAgain = !pauses.isOver();
      Optional<Page> page =
          scrolls()
              .renewing(
                  targets,
                  now -> begin(now, request, source, keepAlive, isTriedAgain, isCancelled));
      if (page.isPresent()) {
        return page.get();
      }
      pauses.pause();
    }
  }

  /// Empty when the node of a context was lost before the page came, and it may be tried again.
  private Optional<Page> begin(
      List<ShardTarget> targets,
      String request,
      SearchSource source,
      Duration keepAlive,
      boolean isTriedAgain,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    List<ContextIds.Held> held = new ArrayList<>();
    Page page = null;
    try {
      for (ShardTarget target : targets) {
        ContextId context = contexts().open(target, SCROLL, keepAlive, request);
        held.add(new ContextIds.Held(target.shard(), context));
      }
      addSpares(held, keepAlive);
      ContextIds ids = new ContextIds(SCROLL, held);
      List<ContextId> main = held.stream().map(ContextIds.Held::context).toList();
      ScrollChoice choice = new ScrollChoice(main, 0);
      ScrollChoice.Attempt attempt = attempt(ids, choice, source, keepAlive, isCancelled);
      if (!isTriedAgain || !(attempt.isUnavailable() || attempt.isOver())) {
        page = page(ids, attempt, keepAlive);
      }
    } finally {
      if (page == null) {
        Set<ContextId> _ = contexts().close(contexts(held));
      }
    }
    return Optional.ofNullable(page);
  }

  private ScrollContexts scrolls() {
    return searches.scrolls();
  }

  private ShardContexts contexts() {
    return searches.contexts();
  }

  private void addSpares(List<ContextIds.Held> shards, Duration keepAlive) {
    Map<ContextId, ShardId> alone = new LinkedHashMap<>();
    for (ContextIds.Held held : shards) {
      if (held.spare() == null) {
        alone.put(held.context(), held.shard());
      }
    }
    Map<ContextId, ContextId> spares = scrolls().openSpares(alone, keepAlive);
    shards.replaceAll(held ->
        spares.containsKey(held.context())
            ? new ContextIds.Held(held.shard(), held.context(), spares.get(held.context()))
            : held);
  }

  private ScrollChoice.Attempt attempt(
      ContextIds ids,
      ScrollChoice choice,
      SearchSource source,
      Duration keepAlive,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    long pages = choice.pages() + 1;
    try {
      SearchResponse response = searches.searchShards(pinned(ids, choice), source, isCancelled);
      boolean isToBeGiven = response.failedShards() == 0;
      return new ScrollChoice.Attempt(
          choice,
          response,
          null,
          isToBeGiven ? scrolls().settle(choice.contexts(), pages, keepAlive) : Map.of());
    } catch (Refusal e) {
      if (!mayPass(e)) {
        throw e;
      }
      return new ScrollChoice.Attempt(choice, null, e, Map.of());
    }
  }

  /// Whether other contexts may answer: nodes are lost, or have lost theirs.
  private static boolean mayPass(Refusal e) {
    return e.type() != ErrorType.TASK_CANCELLED
        && (e.status() >= 500 || e.status() == 404 || e.status() == 429);
  }

  /// The page that came, and the id for the next, when all contexts have been told.
  private Page page(ContextIds ids, ScrollChoice.Attempt attempt, Duration keepAlive) {
    if (attempt.response() == null) {
      throw Objects.requireNonNull(attempt.failure());
    }
    return new Page(settled(ids, attempt, keepAlive).text(), attempt.response());
  }

  private ContextIds settled(ContextIds ids, ScrollChoice.Attempt attempt, Duration keepAlive) {
    Map<ContextId, ScrollPosition> positions = new HashMap<>(attempt.positions());
    List<ContextId> untold = new ArrayList<>(attempt.choice().contexts());
    untold.removeAll(positions.keySet());
    if (!untold.isEmpty()) { // one that comes back without would show the page again
      long pages = attempt.choice().pages() + 1;
      positions.putAll(scrolls().settleAwaited(untold, pages, keepAlive));
    }
    if (ids.shards().stream().allMatch(one -> one.spare() == null)) {
      return ids;
    }
    ScrollChoice searched = attempt.choice();
    Map<ContextId, ContextId> others = new LinkedHashMap<>();
    for (int i = 0; i < searched.contexts().size(); i++) {
      ContextId context = searched.contexts().get(i);
      ContextId other = ids.shards().get(i).other(context);
      if (other != null) {
        others.put(context, other);
      }
    }
    Set<ContextId> inPairs = scrolls().follow(others, positions, keepAlive);
    boolean isRenewed = searched.pages() == ids.pages();
    return ids.after(
        searched.pages() + 1,
        isRenewed ? madeUpFor(ids.shards(), searched, inPairs, keepAlive) : ids.shards());
  }

  /// Contexts that were lost get others in their place. Of no use to a client that does not use the
  /// ids that it is given.
  ///
  /// @param inPairs those of the searched that have their other
  private List<ContextIds.Held> madeUpFor(
      List<ContextIds.Held> shards,
      ScrollChoice searched,
      Set<ContextId> inPairs,
      Duration keepAlive) {
    List<ContextIds.Held> after = new ArrayList<>();
    for (int i = 0; i < shards.size(); i++) {
      ContextId context = searched.contexts().get(i);
      after.add(
          inPairs.contains(context)
              ? shards.get(i)
              : new ContextIds.Held(shards.get(i).shard(), context));
    }
    addSpares(after, keepAlive);
    for (int i = 0; i < shards.size(); i++) { // the lost one may come back
      after.set(i, after.get(i).spare() == null ? shards.get(i) : after.get(i));
    }
    return after;
  }

  private SearchSource source(ObjectNode body) {
    return IndexBoosts.resolve(SearchParser.parse(body), metadata.current(), Options.SEARCH);
  }

  /// The next page.
  ///
  /// @throws Refusal `search_phase_execution_exception` around `search_context_missing_exception`
  ///   when the scroll is over or unknown
  public Page next(String scrollId, Duration keepAlive, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    return next(scrollId, 0, keepAlive, isCancelled);
  }

  /// The next page, of another size than those before. One that failed may be asked for again, of
  /// fewer hits.
  ///
  /// @param size hits, at most; 0 for as many as the first page was asked for
  /// @throws Refusal as above
  public Page next(String scrollId, int size, Duration keepAlive, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    ContextIds ids = ContextIds.parse(SCROLL, scrollId);
    List<ContextId> contexts = contexts(ids.shards());
    try {
      RetryPauses pauses = scrolls().pauses();
      while (true) {
        Map<ContextId, Progress> known = scrolls().progress(contexts, keepAlive);
        if (known.isEmpty()) {
          known = scrolls().progressAwaited(contexts, keepAlive); // nobody else can answer
        }
        ScrollChoice choice = ScrollChoice.of(ids, known);
        ScrollChoice.Attempt attempt =
            next(ids, choice, request(contexts, known, size), keepAlive, isCancelled);
        if (pauses.isOver() || !attempt.isUnavailable()) {
          return page(ids, attempt, keepAlive);
        }
        pauses.pause();
      }
    } catch (Refusal e) {
      throw e.type() == ErrorType.SEARCH_CONTEXT_MISSING
          ? Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "all shards failed", e)
              .with("phase", "query")
              .with("grouped", true)
          : e;
    }
  }

  private SearchSource request(List<ContextId> contexts, Map<ContextId, Progress> known, int size) {
    if (contexts.isEmpty()) {
      return SearchParser.parse(Json.object());
    }
    Progress any =
        known.values().stream()
            .findAny()
            .orElseThrow(() ->
                new Refusal(
                    ErrorType.SEARCH_CONTEXT_MISSING,
                    "No search context found for id [" + contexts.getFirst().number() + "]"));
    ObjectNode kept = Json.parseObject(any.request());
    boolean gathers = GatheredStatistics.take(kept) != null;
    if (size > 0) {
      kept.put("size", size);
    }
    return source(kept).gatheringStatistics(gathers);
  }

  /// The next page, searched again with the other contexts when something failed, if those are
  /// where the page begins.
  private ScrollChoice.Attempt next(
      ContextIds ids,
      ScrollChoice choice,
      SearchSource source,
      Duration keepAlive,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    ScrollChoice.Attempt attempt = attempt(ids, choice, source, keepAlive, isCancelled);
    if (!attempt.isWhole()) {
      ScrollChoice others = choice.others(scrolls(), ids, keepAlive).orElse(null);
      if (others != null) {
        LOG.debug("a page of a scroll failed and is searched on other nodes", attempt.failure());
        attempt = attempt(ids, others, source, keepAlive, isCancelled);
      }
    }
    return attempt;
  }

  private static List<ShardTarget> pinned(ContextIds ids, ScrollChoice choice) {
    List<ShardTarget> pinned = new ArrayList<>();
    for (int i = 0; i < choice.contexts().size(); i++) {
      pinned.add(ShardTarget.of(ids.shards().get(i).shard()).at(choice.contexts().get(i)));
    }
    return pinned;
  }

  /// Ends every scroll.
  ///
  /// @return how many nodes were told
  public int clearAll() {
    searches.contexts().closeAll(SCROLL);
    return metadata.current().members().size();
  }

  /// Ends scrolls.
  ///
  /// @return how many of their commits were still open
  /// @throws Refusal `illegal_argument_exception` when one is no id; then none is ended
  public int clear(List<String> scrollIds) {
    List<ContextIds.Held> shards = new ArrayList<>();
    for (String id : scrollIds) {
      try {
        shards.addAll(ContextIds.parse(SCROLL, id).shards());
      } catch (Refusal e) {
        if (e.type() != ErrorType.SEARCH_CONTEXT_MISSING_NODES) {
          throw e;
        }
      }
    }
    Set<ContextId> closed = contexts().close(contexts(shards));
    return (int)
        shards.stream()
            .distinct()
            .filter(held -> closed.contains(held.context()) || closed.contains(held.spare()))
            .count();
  }

  private static List<ContextId> contexts(List<ContextIds.Held> shards) {
    List<ContextId> contexts = new ArrayList<>();
    for (ContextIds.Held held : shards) {
      contexts.add(held.context());
      if (held.spare() != null) {
        contexts.add(held.spare());
      }
    }
    return contexts;
  }
}
