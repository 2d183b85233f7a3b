package dev.holdfast.api.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.cost.Charge;
import dev.holdfast.cost.CostLedger;
import dev.holdfast.cost.KeptBytes;
import dev.holdfast.cost.Spent;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `GET /_holdfast/cost`: what requests to the store cost, by purpose, index and day, what is kept,
/// where a month leads at this rate, and what `store.budget` costs in time.
public final class CostApi implements Api {
  /// Asks for the account that the leader keeps, too.
  private static final String ACCOUNT = "account";

  /// A budget is kept when no more than that is spent.
  private static final double KEPT_WITHIN = 1.10;

  private final NodeIdentity self;
  private final Metadata metadata;
  private final StoreCounters counters;
  private final Broadcast nodes;
  private final CostAccount account;
  private final SpendingShares shares;
  private final StorageClassMoves moves;

  /// Null while this is being made: other nodes may ask as soon as the call is there.
  private volatile @Nullable CostAccount asked;

  public CostApi(
      World world,
      NodeIdentity self,
      Metadata metadata,
      StoreCounters counters,
      ObjectStore looking,
      Broadcasts calls) {
    this.self = self;
    this.metadata = metadata;
    this.counters = counters;
    this.nodes = calls.call("cost", this::here);
    this.account = new CostAccount(world, metadata, looking, self.id(), nodes);
    this.moves =
        new StorageClassMoves(world, metadata, looking, self.id(), counters.prices(), account);
    this.shares = new SpendingShares(world, metadata, counters.pace(), self.id(), calls);
    this.asked = account;
  }

  /// Keeps the account and moves old blobs while this node leads, and keeps the pace of this node.
  public void start() {
    account.start();
    shares.start();
    moves.start();
  }

  private JsonNode here(JsonNode question) {
    ObjectNode here = Json.object().put("since_millis", self.startMillis());
    here.set("spent", Spent.of(counters).json());
    here.set("pace", pace(counters.pace()));
    CostAccount kept = asked;
    CostLedger ledger = kept == null ? null : kept.ledger();
    if (question.has(ACCOUNT) && ledger != null) {
      here.set(ACCOUNT, tell(ledger));
    }
    return here;
  }

  private static ObjectNode pace(SpendingPace pace) {
    ObjectNode json = Json.object();
    json.put(
        "dollars_a_month",
        pace.isLimited() ? Double.valueOf(pace.limit() * StorePrices.MONTH_SECONDS) : null);
    ObjectNode waits = json.putObject("waits");
    for (Deferrable kind : Deferrable.values()) {
      SpendingPace.Waits of = pace.waits(kind);
      long count = of.seconds().count();
      waits
          .putObject(kind.label())
          .put("count", count)
          .put("held", of.held())
          .put("overdue", of.overdue())
          .put("last_seconds", of.lastSeconds())
          .put("mean_seconds", count == 0 ? 0 : of.seconds().sum() / count)
          .put("longest_seconds", of.longestSeconds())
          .put("longest_seconds_allowed", kind.waitMax().toSeconds());
    }
    return json;
  }

  private ObjectNode tell(CostLedger ledger) {
    StorePrices prices = counters.prices();
    ClusterState state = metadata.current();
    ObjectNode json = Json.object();
    json.put("since", Instant.ofEpochMilli(ledger.sinceMillis()).toString());
    json.putObject("prices")
        .put("thousand_writes", prices.dollarsPerThousandWrites())
        .put("thousand_reads", prices.dollarsPerThousandReads())
        .put("thousand_deletes", prices.dollarsPerThousandDeletes())
        .put("thousand_transitions", prices.dollarsPerThousandTransitions())
        .put("gigabyte_month", prices.dollarsPerGigabyteMonth());
    Spent all = ledger.all();
    json.put("requests", all.total().requests());
    json.put("dollars", all.total().dollars());
    CostAccount.Rate hour = account.rate(CostAccount.Rate.LONGEST);
    KeptBytes kept = account.kept();
    double requests = hour.dollarsPerSecond() * StorePrices.MONTH_SECONDS;
    ObjectNode month = json.putObject("projected_month");
    month.put("by_the_last_seconds", hour.within().toSeconds()).put("requests_dollars", requests);
    if (kept != null) {
      double keeping = kept.dollars(prices);
      long at = kept.atMillis();
      double reading = kept.readDollars(prices, uuid -> ledger.bytesReadAMonth(uuid, at));
      month.put("kept_dollars", keeping).put("dollars", requests + keeping + reading);
      if (!prices.classes().cheaper().isEmpty()) {
        month.put("class_reads_dollars", reading);
      }
    }
    json.set("by_purpose", Charge.json(all.byPurpose()));
    json.set("by_index", Charge.json(named(all.byIndex(), state)));
    ObjectNode days = json.putObject("days");
    ledger
        .days()
        .forEach((day, spent) -> {
          ObjectNode one = days.putObject(day);
          one.put("requests", spent.total().requests()).put("dollars", spent.total().dollars());
          one.set("by_purpose", Charge.json(spent.byPurpose()));
          one.set("by_index", Charge.json(named(spent.byIndex(), state)));
        });
    if (kept != null) {
      kept(kept, state, json.putObject("kept"));
    }
    moves.tell(state, json);
    budget(state, json);
    return json;
  }

  private void kept(KeptBytes kept, ClusterState state, ObjectNode json) {
    StorePrices prices = counters.prices();
    json.put("at", Instant.ofEpochMilli(kept.atMillis()).toString())
        .put("is_complete", kept.isComplete())
        .put("objects", kept.objects())
        .put("bytes", kept.bytes())
        .put("dollars_a_month", kept.dollars(prices));
    if (!prices.classes().cheaper().isEmpty()) {
      ObjectNode classes = json.putObject("by_class");
      kept.byClass()
          .forEach((name, of) ->
              classes
                  .putObject(name.isEmpty() ? prices.classes().usual() : name)
                  .put("objects", of.objects())
                  .put("bytes", of.bytes())
                  .put("dollars_a_month", prices.keptDollars(name, (double) of.bytes())));
    }
    ObjectNode folders = json.putObject("by_folder");
    kept.byFolder().forEach(folders::put);
    ObjectNode indices = json.putObject("by_index");
    Map<String, String> names = names(state);
    kept.byIndex().forEach((uuid, bytes) -> indices.put(names.getOrDefault(uuid, uuid), bytes));
  }

  private void budget(ClusterState state, ObjectNode json) {
    OptionalDouble budget = StoreBudget.of(state);
    if (budget.isPresent()) {
      CostAccount.Rate recent = account.rate(CostAccount.Rate.SHORT);
      double month = recent.dollarsPerSecond() * StorePrices.MONTH_SECONDS;
      json.putObject("budget")
          .put("dollars_a_month", budget.getAsDouble())
          .put("spends_a_month", month)
          .put("by_the_last_seconds", recent.within().toSeconds())
          .put("is_kept", month <= KEPT_WITHIN * budget.getAsDouble());
    }
  }

  private static SortedMap<String, Charge> named(Map<String, Charge> byUuid, ClusterState state) {
    Map<String, String> names = names(state);
    SortedMap<String, Charge> named = new TreeMap<>();
    byUuid.forEach((uuid, sum) -> named.put(names.getOrDefault(uuid, uuid), sum));
    return named;
  }

  private static Map<String, String> names(ClusterState state) {
    Map<String, String> names = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      names.put(index.id().uuid(), index.id().name());
    }
    return names;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String leader = metadata.leaderId();
    Broadcast.Seen seen = nodes.ask(Json.object().put(ACCOUNT, true), request);
    JsonNode told = seen.nodes().getOrDefault(leader, Json.object()).path(ACCOUNT);
    if (!told.isObject()) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "nothing is added up yet: "
              + seen.silent().getOrDefault(leader, "the leader has just begun to lead"));
    }
    ObjectNode answer = Json.object().put("leader", leader);
    seen.nameSilent(answer);
    answer.setAll((ObjectNode) told);
    ObjectNode byNode = answer.putObject("nodes");
    seen.nodes().forEach((node, here) -> byNode.set(node, here.path("pace")));
    return Answer.of(200, answer);
  }
}
