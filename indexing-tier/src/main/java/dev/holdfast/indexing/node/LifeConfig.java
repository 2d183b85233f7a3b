package dev.holdfast.indexing.node;

import dev.holdfast.world.ByteSize;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How long shards live where they are, and what they do unasked.
///
/// @param hollowAfter a shard that was not written for so long keeps neither memory nor disk
/// @param searchedFor a shard searched within this time refreshes by schedule, others when a search
///   comes (unless their index says how often)
/// @param searchedInterval how often a searched shard refreshes when its index does not say
/// @param refreshPatience how long a refresh waits for search copies that do not answer: longer
///   than it takes to evict a dead node
/// @param pauseMax how long a move may keep writes waiting before it is given up and tried later
/// @param cleanCommitMax how long a new owner waits for the last commit of an owner that lives
/// @param divisionPace between two divisions of one index writes go on for so many times what the
///   first took from the shut gate to the new shard: few writes of the index meet one
/// @param manualRefreshes the budget of refreshes that clients ask for; null for none
/// @param lentFor a restored shard is read in its snapshot for so long before its blobs are copied
public record LifeConfig(
    Duration hollowAfter,
    Duration searchedFor,
    Duration searchedInterval,
    Duration refreshPatience,
    Duration pauseMax,
    Duration cleanCommitMax,
    int divisionPace,
    @Nullable ManualRefreshes manualRefreshes,
    Duration lentFor) {
  /// @param per one refresh
  /// @param heap that earns one refresh in each such time (§4.1)
  /// @param within what is not used up gathers for so long
  /// @param pause between refreshes of a shard when the budget is spent
  public record ManualRefreshes(Duration per, ByteSize heap, Duration within, Duration pause) {
    /// The paper's: one in 5 s for each 4 GiB, within the last hour; then every 5 s (§4.1).
    public static ManualRefreshes ofPaper() {
      return new ManualRefreshes(
          Duration.ofSeconds(5), ByteSize.mib(4096), Duration.ofHours(1), Duration.ofSeconds(5));
    }
  }

  public static LifeConfig defaults() {
    return new LifeConfig(
        Duration.ofMinutes(10),
        Duration.ofMinutes(3),
        Duration.ofSeconds(1),
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        200,
        null,
        Duration.ofSeconds(2));
  }

  public LifeConfig withDivisionPace(int pace) {
    return with(members -> members.divisionPace = pace);
  }

  public LifeConfig withManualRefreshes(ManualRefreshes budget) {
    return with(members -> members.manualRefreshes = budget);
  }

  public LifeConfig withLentFor(Duration delay) {
    return with(members -> members.lentFor = delay);
  }

  public LifeConfig withHollowAfter(Duration idle) {
    return with(members -> members.hollowAfter = idle);
  }

  public LifeConfig withRefreshPatience(Duration patience) {
    return with(members -> members.refreshPatience = patience);
  }

  private LifeConfig with(Consumer<Members> change) {
    Members members = new Members(this);
    change.accept(members);
    return new LifeConfig(
        members.hollowAfter,
        searchedFor,
        searchedInterval,
        members.refreshPatience,
        pauseMax,
        cleanCommitMax,
        members.divisionPace,
        members.manualRefreshes,
        members.lentFor);
  }

  /// Those that are set one by one.
  private static final class Members {
    private Duration hollowAfter;
    private Duration refreshPatience;
    private int divisionPace;
    private @Nullable ManualRefreshes manualRefreshes;
    private Duration lentFor;

    private Members(LifeConfig from) {
      hollowAfter = from.hollowAfter;
      refreshPatience = from.refreshPatience;
      divisionPace = from.divisionPace;
      manualRefreshes = from.manualRefreshes;
      lentFor = from.lentFor;
    }
  }
}
