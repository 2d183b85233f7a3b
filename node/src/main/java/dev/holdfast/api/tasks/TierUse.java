package dev.holdfast.api.tasks;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which tiers the requests of clients need, and when they last did: a tier that nobody needs may
/// go away (§7). What projects of this process need, the cluster's own use knows, too: their tiers
/// are its nodes.
public final class TierUse implements AutoCloseable {
  /// What takes longer waits for something, even if its action does not tell for what.
  private static final Duration LONG = Duration.ofMillis(500);

  private static final Set<Role> NEITHER = EnumSet.noneOf(Role.class);

  private final Clock clock;
  private final @Nullable TierUse outer;
  private final Set<TierUse> inner = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<String, Set<Role>> byAction = new ConcurrentHashMap<>();
  private volatile long indexNanos;
  private volatile long searchNanos;
  private volatile Predicate<Role> awaited = _ -> false;
  private volatile Runnable onBegin = () -> {};

  private TierUse(Clock clock, @Nullable TierUse outer) {
    this.clock = clock;
    this.outer = outer;
    indexNanos = clock.nanoTime();
    searchNanos = indexNanos;
  }

  /// That of a node's own rooms.
  public static TierUse ofNode(Clock clock) {
    return new TierUse(clock, null);
  }

  /// That of a project, until it is closed.
  public TierUse ofProject() {
    TierUse use = new TierUse(clock, this);
    inner.add(use);
    return use;
  }

  @Override
  public void close() {
    if (outer != null) {
      outer.inner.remove(this);
    }
  }

  /// @param tasks whether one of the requests that run cannot be answered without a tier
  void ask(Predicate<Role> tasks) {
    awaited = tasks;
  }

  /// @param hears of each request that begins, on its thread
  void onBegin(Runnable hears) {
    onBegin = hears;
  }

  /// A request began, and is one that [#ask] is told of.
  void begun() {
    onBegin.run();
    if (outer != null) {
      outer.begun();
    }
  }

  /// Whether a request that runs, of a project or of none, cannot be answered without the tier.
  boolean isAwaited(Role tier) {
    return awaited.test(tier) || inner.stream().anyMatch(use -> use.isAwaited(tier));
  }

  /// A request of that action begins or ends.
  void seen(String action) {
    if (outer != null) {
      outer.seen(action);
    }
    Set<Role> tiers = tiers(action);
    if (!tiers.isEmpty()) {
      long now = clock.nanoTime();
      if (tiers.contains(Role.INDEX)) {
        indexNanos = now;
      }
      if (tiers.contains(Role.SEARCH)) {
        searchNanos = now;
      }
    }
  }

  /// Since the last request that needed the tier began or ended; since the start when none has.
  Duration idle(Role tier) {
    return Duration.ofNanos(
        Math.max(0, clock.nanoTime() - (tier == Role.INDEX ? indexNanos : searchNanos)));
  }

  /// Whether a request cannot be answered without the tier.
  boolean isAwaitedBy(RunningTask task, Role tier) {
    Set<Role> tiers = tiers(task.action());
    return tiers.isEmpty()
        ? task.action().startsWith("indices:") && task.runningNanos() > LONG.toNanos()
        : tiers.contains(tier);
  }

  private Set<Role> tiers(String action) {
    return byAction.computeIfAbsent(action, TierUse::of);
  }

  private static Set<Role> of(String action) {
    switch (action) {
      case "indices:admin/analyze",
          "indices:admin/mappings/get",
          "indices:data/write/simulate/bulk" -> {
        return NEITHER;
      }
      case "indices:admin/validate/query" -> {
        return Collections.unmodifiableSet(EnumSet.of(Role.SEARCH));
      }
      case "indices:data/read/tv", "indices:data/read/mtv" -> {
        return Collections.unmodifiableSet(EnumSet.of(Role.INDEX, Role.SEARCH));
      }
      default -> {}
    }
    if (action.endsWith("/byquery") || action.endsWith("/reindex")) {
      return Collections.unmodifiableSet(EnumSet.of(Role.INDEX, Role.SEARCH));
    }
    boolean isGet = action.equals("indices:data/read/get") || action.endsWith("/mget");
    if (isGet || action.startsWith("indices:data/write") || action.startsWith("indices:admin")) {
      return Collections.unmodifiableSet(EnumSet.of(Role.INDEX));
    }
    return action.startsWith("indices:data/read")
        ? Collections.unmodifiableSet(EnumSet.of(Role.SEARCH))
        : NEITHER;
  }
}
