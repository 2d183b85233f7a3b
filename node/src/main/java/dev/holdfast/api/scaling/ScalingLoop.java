package dev.holdfast.api.scaling;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.tasks.RunningTasks;
import dev.holdfast.autoscaler.SizeDecision;
import dev.holdfast.autoscaler.SizeHistory;
import dev.holdfast.autoscaler.SizeLadder;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.autoscaler.TierSizing;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.provision.Provisioner;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides every few seconds how large the tiers should be, while this node leads, and has the
/// provisioner make them so (§7). What it remembers goes with its leadership: the next leader
/// begins with what there is, and its quiet time anew.
public final class ScalingLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ScalingLoop.class);

  static final List<Role> TIERS = List.of(Role.INDEX, Role.SEARCH);

  /// The paper's (§7).
  private static final Duration EVERY = Duration.ofSeconds(5);

  /// While a tier has no node: how often this node's own requests are looked at, and those of
  /// others.
  private static final Duration WAKE_EVERY = Duration.ofMillis(50);

  private static final Duration WAKE_OTHERS_EVERY = Duration.ofSeconds(1);

  private static final Duration ANSWERS_MAX = Duration.ofSeconds(3);
  private static final int STEPS_KEPT = 20;

  private final World world;
  private final Metadata metadata;
  private final Broadcast loads;
  private final RunningTasks running;
  private final Provisioner provisioner;
  private final String self;

  /// Held by who looks.
  private final ReentrantLock looking = new ReentrantLock();

  // Guarded by that.
  private long lookedNanos;

  // Guarded by this.
  private final Map<Role, Tier> tiers = new EnumMap<>(Role.class);
  private boolean isBegun;
  private String failure = "";

  /// What is known of one tier.
  ///
  /// @param wokenNanos when it was last made more than nothing
  private record Tier(
      TierReport report,
      ScalingLimits limits,
      SizeDecision decision,
      Deque<Step> steps,
      long wokenNanos) {}

  /// A change that was decided.
  private record Step(long epochMillis, int from, int to, String why) {}

  /// @param loads asks nodes for theirs
  /// @param self this node's ephemeral id
  ScalingLoop(
      World world,
      Metadata metadata,
      Broadcast loads,
      RunningTasks running,
      Provisioner provisioner,
      String self) {
    this.world = world;
    this.metadata = metadata;
    this.loads = loads;
    this.running = running;
    this.provisioner = provisioner;
    this.self = self;
  }

  /// Decides from now on.
  void start() {
    lookedNanos = world.clock().nanoTime();
    var _ = world.tasks().repeat("autoscaling", WAKE_EVERY, this::lookAlone);
    running.onBegin(this::requested);
  }

  /// A request that may need a tier that is away does not wait for the next look.
  private void requested() {
    if (!absent().isEmpty()) {
      var _ = world.tasks().start("autoscaling", this::lookAlone);
    }
  }

  private void lookAlone() throws InterruptedException {
    if (looking.tryLock()) {
      try {
        lookWhenDue();
      } finally {
        looking.unlock();
      }
    }
  }

  private void lookWhenDue() throws InterruptedException {
    if (!metadata.leaderId().equals(self)) {
      forget();
      return;
    }
    Set<Role> absent = absent();
    Duration every = absent.isEmpty() ? EVERY : WAKE_OTHERS_EVERY;
    long now = world.clock().nanoTime();
    if (now - lookedNanos >= every.toNanos() || absent.stream().anyMatch(running::isAwaited)) {
      try {
        look();
      } finally {
        lookedNanos = world.clock().nanoTime();
      }
    }
  }

  /// The tiers that are meant to have no node now.
  private synchronized Set<Role> absent() {
    Set<Role> absent = EnumSet.noneOf(Role.class);
    tiers.forEach((role, tier) -> {
      if (tier.decision().size().nodes() == 0) {
        absent.add(role);
      }
    });
    return absent;
  }

  private void look() throws InterruptedException {
    ClusterState state = metadata.current();
    Collection<Member> members = state.members().values();
    Broadcast.Seen seen = loads.ask(Json.object(), ANSWERS_MAX, _ -> true);
    SortedMap<Role, TierSize> wanted = new TreeMap<>();
    SortedMap<Role, Integer> meant = begin();
    for (Role tier : TIERS) {
      TierReport report = withSearches(tier, TierReport.of(tier, members, seen), state, seen);
      TierSize first = new TierSize(meant.getOrDefault(tier, report.members()), report.nodeSize());
      wanted.put(tier, decide(tier, report, first, ScalingLimits.of(state, tier)));
    }
    if (isBegun()) {
      provision(wanted, members);
    }
  }

  /// What a new leader begins with, if the provisioner remembers it. Until that is known nothing is
  /// made smaller or larger, and each decision is a first one.
  private SortedMap<Role, Integer> begin() {
    if (!isBegun()) {
      try {
        Optional<SortedMap<Role, Integer>> meant = provisioner.meant();
        if (meant.isPresent()) {
          begun();
          return meant.get();
        }
      } catch (IOException e) {
        failed(String.valueOf(e.getMessage()));
      }
    }
    return new TreeMap<>();
  }

  private synchronized boolean isBegun() {
    return isBegun;
  }

  private synchronized void begun() {
    tiers.clear();
    isBegun = true;
  }

  /// A search copy is opened on the word of the shard's owner: who wakes the search tier, or waits
  /// for a copy, needs the index tier, too.
  private static TierReport withSearches(
      Role tier, TierReport report, ClusterState state, Broadcast.Seen seen) {
    if (tier != Role.INDEX || report.isAwaited()) {
      return report;
    }
    TierReport searches = TierReport.of(Role.SEARCH, state.members().values(), seen);
    boolean isCopyStarting =
        state.assignments().values().stream()
            .flatMap(List::stream)
            .anyMatch(assignment -> assignment.copies().containsValue(Copy.STARTING));
    return (searches.isAwaited() && searches.members() == 0) || isCopyStarting
        ? report.awaited()
        : report;
  }

  private synchronized void forget() {
    tiers.clear();
    isBegun = false;
    failure = "";
  }

  /// @param first the size of a tier of which nothing was decided before
  private synchronized TierSize decide(
      Role tier, TierReport report, TierSize first, ScalingLimits limits) {
    Tier before = isBegun ? tiers.get(tier) : null;
    TierSizing sizing =
        new TierSizing(
            SizeLadder.of(List.of(report.nodeSize()), limits.nodesMin(), limits.nodesMax()),
            limits.policy());
    SizeHistory history = before == null ? SizeHistory.NONE : before.decision().history();
    TierSize current = before == null ? first : before.decision().size();
    long now = world.clock().nanoTime();
    long woken = before == null ? now : before.wokenNanos();
    SizeDecision decision =
        sizing.decide(
            report.needs(Duration.ofNanos(now - woken)), current, history, now / 1_000_000);
    Deque<Step> steps = before == null ? new ArrayDeque<>() : before.steps();
    if (isBegun && decision.size().nodes() != current.nodes()) {
      String why = String.join("; ", decision.words());
      steps.addLast(
          new Step(world.clock().epochMillis(), current.nodes(), decision.size().nodes(), why));
      if (steps.size() > STEPS_KEPT) {
        steps.removeFirst();
      }
      LOG.info(
          "a tier should have another size [tier={}, from={}, to={}, why={}]",
          tier.label(),
          current.nodes(),
          decision.size().nodes(),
          why);
    }
    boolean isWoken = current.nodes() == 0 && decision.size().nodes() > 0;
    tiers.put(tier, new Tier(report, limits, decision, steps, isWoken ? now : woken));
    return decision.size();
  }

  private void provision(SortedMap<Role, TierSize> wanted, Collection<Member> members)
      throws InterruptedException {
    try {
      provisioner.provision(wanted, members);
      failed("");
    } catch (IOException e) {
      failed(String.valueOf(e.getMessage()));
    }
  }

  private synchronized void failed(String why) {
    if (!why.isEmpty() && !why.equals(failure)) {
      LOG.warn("a tier keeps its size for now [provisioner={}, why={}]", provisioner.name(), why);
    }
    failure = why;
  }

  /// Whether the provisioner could not do its part when it was last asked; never on a node that
  /// does not lead.
  synchronized boolean isFailing() {
    return !failure.isEmpty();
  }

  /// By tier; empty on a node that does not lead.
  synchronized Map<Role, Integer> wanted() {
    Map<Role, Integer> wanted = new EnumMap<>(Role.class);
    tiers.forEach((role, tier) -> wanted.put(role, tier.decision().size().nodes()));
    return wanted;
  }

  /// What was decided last, and why; null on a node that does not lead.
  synchronized @Nullable ObjectNode explain() {
    if (tiers.isEmpty()) {
      return null;
    }
    ObjectNode json = Json.object().put("provisioner", provisioner.name());
    json.put("provisioner_failure", failure.isEmpty() ? null : failure);
    ObjectNode byTier = json.putObject("tiers");
    tiers.forEach((role, tier) -> tell(tier, byTier.putObject(role.label())));
    return json;
  }

  private static void tell(Tier tier, ObjectNode json) {
    tier.report().tell(tier.decision(), json);
    json.put("node_cores", tier.decision().size().size().cores());
    json.putObject("limits")
        .put("min_nodes", tier.limits().nodesMin())
        .put("max_nodes", tier.limits().nodesMax())
        .put("quiet_time_millis", tier.limits().policy().quiet().toMillis())
        .put("step_interval_millis", tier.limits().policy().betweenSteps().toMillis())
        .put("idle_after_millis", tier.limits().policy().idleAfter().toMillis());
    ArrayNode steps = json.putArray("steps");
    for (Step step : tier.steps()) {
      steps
          .addObject()
          .put("at_millis", step.epochMillis())
          .put("from", step.from())
          .put("to", step.to())
          .put("why", step.why());
    }
  }
}
