package dev.holdfast.api.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.objectstore.budget.BudgetShares;
import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.Demand;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the pace of this node at its share of `store.budget`: it tells the leader every few
/// seconds what it spends and whether it would spend more, and is told how much it may. Until then,
/// and after the setting was changed, each indexing node has an equal share. A share grows only by
/// what other nodes have said that they have given up: all of them together are never more than the
/// budget, but for the moment in which another node begins to lead.
public final class SpendingShares {
  private static final Logger LOG = LoggerFactory.getLogger(SpendingShares.class);

  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(3);

  /// What a node said counts for so long.
  private static final Duration SAID_FOR = Duration.ofSeconds(60);

  /// How often people are told that writes wait.
  private static final Duration TOLD_EVERY = Duration.ofMinutes(10);

  /// What spending was before counts for most: of five minutes. A burst (an index is made) is paid
  /// by the node that had it, and must not take the others' shares.
  private static final double NEWEST_PART = 1.0 / 60;

  /// Dollars a second that the node that asks may spend so far.
  private static final String HAS = "has";

  private final World world;
  private final Metadata metadata;
  private final SpendingPace pace;
  private final String self;
  private final Broadcast leader;

  /// The budget of the newest state. Of the listener.
  private OptionalDouble followed = OptionalDouble.empty();

  // Of the one task.
  private long tickedNanos;
  private double promptThen;
  private double deferredThen;
  private double promptRate;
  private long heldThen;
  private @Nullable Long toldNanos;

  /// What nodes said, while this node leads. Guarded by itself.
  private final SortedMap<String, Said> said = new TreeMap<>();

  /// @param held dollars a second that the node may spend until it says otherwise
  private record Said(Demand demand, double held, long atNanos) {}

  SpendingShares(World world, Metadata metadata, SpendingPace pace, String self, Broadcasts calls) {
    this.world = world;
    this.metadata = metadata;
    this.pace = pace;
    this.self = self;
    this.leader = calls.call("spending", this::share);
    this.tickedNanos = world.clock().nanoTime();
  }

  /// Follows the setting from now on.
  void start() {
    metadata.listen((before, now) -> follow(now));
    var _ = world.tasks().repeat("spending", EVERY, this::tick);
  }

  private void follow(ClusterState state) {
    OptionalDouble budget = StoreBudget.of(state);
    if (budget.equals(followed)) {
      return;
    }
    followed = budget;
    synchronized (said) {
      said.clear(); // of another budget
    }
    pace.limit(
        budget.isEmpty()
            ? Double.POSITIVE_INFINITY
            : perSecond(budget) / Math.max(1, writers(state).size()));
  }

  private static double perSecond(OptionalDouble budget) {
    return budget.orElseThrow() / StorePrices.MONTH_SECONDS;
  }

  private static List<String> writers(ClusterState state) {
    List<String> writers = new ArrayList<>();
    for (Member member : state.members().values()) {
      if (StoreBudget.isWriter(member)) {
        writers.add(member.id());
      }
    }
    return writers;
  }

  private void tick() throws InterruptedException {
    Demand demand = demand();
    if (!pace.isLimited()) {
      return;
    }
    double has = pace.limit();
    if (ask(demand) && pace.limit() < has) {
      boolean _ = ask(demand); // what it has given up others may have at once
    }
    tell(demand);
  }

  /// @return whether the leader has answered
  private boolean ask(Demand demand) throws InterruptedException {
    ObjectNode question =
        Json.object()
            .put("node", self)
            .put("prompt", demand.prompt())
            .put("deferred", demand.deferred())
            .put("is_held", demand.isHeld())
            .put(HAS, pace.limit());
    String leads = metadata.leaderId();
    Broadcast.Seen seen = leader.ask(question, ANSWER_MAX, member -> member.id().equals(leads));
    JsonNode share = seen.nodes().getOrDefault(leads, Json.object()).path("dollars_per_second");
    boolean isStillWanted = StoreBudget.of(metadata.current()).isPresent();
    if (!share.isNumber() || share.asDouble() < 0 || !isStillWanted) {
      return false;
    }
    pace.limit(share.asDouble());
    return true;
  }

  private Demand demand() {
    long now = world.clock().nanoTime();
    double seconds = Math.max(1e-3, 1e-9 * (now - tickedNanos));
    tickedNanos = now;
    double prompt = pace.promptDollars();
    double deferred = pace.deferredDollars();
    long held = 0;
    for (Deferrable kind : Deferrable.values()) {
      held += pace.waits(kind).held();
    }
    double newest = (prompt - promptThen) / seconds;
    promptRate = NEWEST_PART * newest + (1 - NEWEST_PART) * promptRate;
    Demand demand = new Demand(promptRate, (deferred - deferredThen) / seconds, held > heldThen);
    promptThen = prompt;
    deferredThen = deferred;
    heldThen = held;
    return demand;
  }

  private void tell(Demand demand) {
    long now = world.clock().nanoTime();
    boolean isDue = toldNanos == null || now - toldNanos >= TOLD_EVERY.toNanos();
    if (demand.isHeld() && isDue) {
      toldNanos = now;
      LOG.info(
          "writes wait for the store's budget [dollars_per_month={}, log_file_seconds={},"
              + " upload_seconds={}]",
          pace.limit() * StorePrices.MONTH_SECONDS,
          pace.waits(Deferrable.LOG_FILE).lastSeconds(),
          pace.waits(Deferrable.UPLOAD).lastSeconds());
    }
  }

  /// What the node that asks may spend; nothing when that is not for this node to say.
  private JsonNode share(ObjectNode question) {
    ClusterState state = metadata.current();
    OptionalDouble budget = StoreBudget.of(state);
    String node = question.path("node").asText();
    if (!metadata.leaderId().equals(self)
        || budget.isEmpty()
        || !state.members().containsKey(node)) {
      return Json.object();
    }
    Demand demand =
        new Demand(
            question.path("prompt").asDouble(),
            question.path("deferred").asDouble(),
            question.path("is_held").asBoolean());
    double all = perSecond(budget);
    double has = question.path(HAS).asDouble(0);
    synchronized (said) {
      forget(state);
      Map<String, Demand> demands = new TreeMap<>();
      said.forEach((id, one) -> demands.put(id, one.demand()));
      demands.put(node, demand);
      List<String> writers = writers(state);
      double meant =
          Objects.requireNonNullElse(BudgetShares.of(all, demands, writers).get(node), 0.0);
      double share = Math.min(meant, Math.max(0, all - heldByOthers(node, writers, all)));
      // Until the node says that it has it, it may have missed this answer.
      said.put(node, new Said(demand, Math.max(has, share), world.clock().nanoTime()));
      return Json.object().put("dollars_per_second", share);
    }
  }

  private void forget(ClusterState state) {
    long now = world.clock().nanoTime();
    said.entrySet()
        .removeIf(one ->
            !state.members().containsKey(one.getKey())
                || now - one.getValue().atNanos() > SAID_FOR.toNanos());
  }

  private double heldByOthers(String node, List<String> writers, double all) {
    double held = 0;
    for (String writer : writers) {
      Said one = said.get(writer);
      held += writer.equals(node) ? 0 : one == null ? all / writers.size() : one.held();
    }
    return held;
  }
}
