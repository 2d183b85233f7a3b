package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.indexing.node.LifeConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which nodes a simulated cluster has.
public enum ClusterShape {
  /// One process with all roles, and its successors.
  SOLO(List.of(roles(Role.INDEX, Role.SEARCH)), 1),
  /// Two indexing nodes and two search nodes (§3).
  TIERS(List.of(roles(Role.INDEX), roles(Role.INDEX), roles(Role.SEARCH), roles(Role.SEARCH)), 2),
  /// Three nodes with all roles.
  EQUALS(
      List.of(
          roles(Role.INDEX, Role.SEARCH),
          roles(Role.INDEX, Role.SEARCH),
          roles(Role.INDEX, Role.SEARCH)),
      2),
  /// Two nodes with all roles, in which much else goes on.
  PAIR(List.of(roles(Role.INDEX, Role.SEARCH), roles(Role.INDEX, Role.SEARCH)), 1);

  private static final List<ClusterShape> TURNS = List.of(SOLO, TIERS, EQUALS);

  @SuppressWarnings("ImmutableEnumChecker") // never changed after construction
  private final List<SortedSet<Role>> places;

  private final int copies;

  ClusterShape(List<SortedSet<Role>> places, int copies) {
    this.places = places;
    this.copies = copies;
  }

  private static SortedSet<Role> roles(Role... roles) {
    return new TreeSet<>(List.of(roles));
  }

  public static ClusterShape of(String option) {
    return valueOf(option.toUpperCase(Locale.ROOT));
  }

  /// Seeds take turns.
  public static ClusterShape of(long seed) {
    return TURNS.get((int) Math.floorMod(seed, (long) TURNS.size()));
  }

  public String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isSolo() {
    return this == SOLO;
  }

  /// The roles of the node at each place.
  public List<SortedSet<Role>> places() {
    return places;
  }

  /// Search copies of each shard when all is well.
  public int copies() {
    return copies;
  }

  /// As in production: nodes give each other up within seconds.
  public ClusterConfig timings() {
    return ClusterConfig.defaults();
  }

  LifeConfig life() {
    LifeConfig defaults = LifeConfig.defaults().withDivisionPace(1); // a history is short
    return isSolo() ? defaults : defaults.withHollowAfter(Duration.ofSeconds(8));
  }
}
