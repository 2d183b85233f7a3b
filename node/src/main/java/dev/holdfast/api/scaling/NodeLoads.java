package dev.holdfast.api.scaling;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.Clock;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The loads of the tiers that this process has a part in, sampled every second.
public final class NodeLoads {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Clock clock;
  private final SortedMap<Role, PoolLoad> byTier;

  private NodeLoads(Clock clock, SortedMap<Role, PoolLoad> byTier) {
    this.clock = clock;
    this.byTier = Collections.unmodifiableSortedMap(byTier);
  }

  /// Begins to sample; ends with the world's tasks.
  ///
  /// @param pools of this process at a time, the node's own first; those that do a tier's work
  ///   count
  public static NodeLoads begin(World world, Supplier<List<WorkPool>> pools) {
    SortedMap<Role, PoolLoad> byTier = new TreeMap<>();
    for (WorkPool pool : pools.get()) {
      switch (pool.name()) {
        case "write" -> byTier.putIfAbsent(Role.INDEX, load(world, pools, pool));
        case "search" -> byTier.putIfAbsent(Role.SEARCH, load(world, pools, pool));
        default -> {
          // Other work follows from these two.
        }
      }
    }
    NodeLoads loads = new NodeLoads(world.clock(), byTier);
    if (!byTier.isEmpty()) {
      var _ = world.tasks().repeat("tier-loads", EVERY, loads::sample);
    }
    return loads;
  }

  private static PoolLoad load(World world, Supplier<List<WorkPool>> pools, WorkPool own) {
    return new PoolLoad(
        () -> pools.get().stream().filter(pool -> pool.name().equals(own.name())).toList(),
        own.threads(),
        world.clock().nanoTime());
  }

  private void sample() {
    long now = clock.nanoTime();
    byTier.values().forEach(load -> load.sample(now));
  }

  /// By tier.
  SortedMap<Role, PoolLoad> byTier() {
    return byTier;
  }

  long ageMillis(PoolLoad load) {
    return load.ageMillis(clock.nanoTime());
  }
}
