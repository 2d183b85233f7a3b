package dev.holdfast.simulation.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.simulation.client.Ledger.Baseline;
import dev.holdfast.simulation.client.Ledger.Shown;
import dev.holdfast.simulation.client.Ledger.Write;
import dev.holdfast.simulation.cluster.SimulatedCluster;
import dev.holdfast.simulation.cluster.SimulatedNode;
import dev.holdfast.simulation.linear.DocumentCall;
import dev.holdfast.simulation.schedule.Alarm;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// What clients do: each method is one request and what the [Ledger] learns of it.
public final class SimulatedClients {
  private static final Pattern CURRENT_NUMBER =
      Pattern.compile("current document has seqNo \\[(\\d+)\\]");
  private static final int BULK_MAX = 4;
  private static final int HITS_MAX = 1000;

  private final SimulatedCluster cluster;
  private final Ledger ledger;
  private final Rivalry rivalry;
  private final Alarm alarm;
  private long failures;

  public SimulatedClients(SimulatedCluster cluster, Ledger ledger, Rivalry rivalry, Alarm alarm) {
    this.cluster = cluster;
    this.ledger = ledger;
    this.rivalry = rivalry;
    this.alarm = alarm;
  }

  /// Requests that ended without an answer of the kind that was hoped for.
  long failures() {
    return failures;
  }

  /// Writes a few documents of one shard.
  ///
  /// @return whether all of it was answered
  public boolean write(SimulatedNode node, ShardId shard, SplittableRandom random)
      throws InterruptedException {
    Baseline before = ledger.baseline();
    List<Rivalry.Ask> asked = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    int count = 1 + random.nextInt(BULK_MAX);
    for (int position = 0; position < count; position++) {
      String id = rivalry.id(random);
      DocumentCall.Kind kind = Rivalry.kind(random);
      Write write = ledger.begins(shard, id, kind == DocumentCall.Kind.DELETE);
      writes.add(write);
      asked.add(rivalry.ask(position, shard, id, kind, write.number, random));
    }
    List<WriteOperation> operations = asked.stream().map(Rivalry.Ask::operation).toList();
    long begin = rivalry.histories().now();
    asked.forEach(ask -> rivalry.begins(shard, begin, ask));
    List<WriteResult> results;
    try {
      results = cluster.call(node, () -> node.indexing().write(shard, operations));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a write", node, e);
      writes.forEach(ledger::unknown);
      return false;
    }
    for (int i = 0; i < results.size(); i++) {
      learn(writes.get(i), results.get(i), before);
      rivalry.answered(shard, begin, asked.get(i), results.get(i));
    }
    return true;
  }

  private void learn(Write write, WriteResult result, Baseline before) {
    switch (result) {
      case WriteResult.Done done ->
          ledger.acknowledged(write, done.seqNo(), done.primaryTerm(), before);
      case WriteResult.Refused refused -> {
        ledger.unknown(write);
        told("a refused write", write.shard, write.id, refused.refusal(), before);
      }
    }
  }

  /// Writes what can change nothing: an update that adds nothing, or a delete on a condition that
  /// does not hold. What it is told of the document is durable, as what a get is told.
  public void probe(SimulatedNode node, ShardId shard, SplittableRandom random)
      throws InterruptedException {
    String id = rivalry.id(random);
    boolean isUpdate = random.nextBoolean();
    WriteOperation operation = isUpdate ? update(id) : delete(id);
    Baseline before = ledger.baseline();
    try {
      WriteResult result =
          cluster.call(node, () -> node.indexing().write(shard, List.of(operation))).getFirst();
      switch (result) {
        case WriteResult.Done done -> ledger.told("an update", shard, id, shown(done), before);
        case WriteResult.Refused refused ->
            told("a refused probe", shard, id, refused.refusal(), before);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a probe", node, e);
    }
  }

  private static WriteOperation update(String id) {
    byte[] nothing = "{\"doc\":{}}".getBytes(StandardCharsets.UTF_8);
    return new WriteOperation(
        0, Kind.UPDATE, id, false, null, nothing, 0, nothing.length, Condition.NONE, 3);
  }

  private static WriteOperation delete(String id) {
    Condition never = new Condition(Long.MAX_VALUE, 1, -3, VersionType.INTERNAL);
    return new WriteOperation(0, Kind.DELETE, id, false, null, new byte[0], 0, 0, never, 0);
  }

  private static Shown shown(WriteResult.Done unchanged) {
    byte[] source = Objects.requireNonNull(unchanged.source());
    long number = Json.parseObject(source, 0, source.length).path("n").asLong();
    return new Shown(true, number, unchanged.seqNo(), unchanged.primaryTerm());
  }

  /// What a refusal says of the document.
  private void told(String who, ShardId shard, String id, Refusal refusal, Baseline before) {
    Matcher number = CURRENT_NUMBER.matcher(refusal.reason());
    if (number.find()) {
      ledger.told(who, shard, id, Shown.some(Long.parseLong(number.group(1))), before);
    } else if (refusal.type() == ErrorType.DOCUMENT_MISSING
        || refusal.reason().contains("no document was found")) {
      ledger.told(who, shard, id, Shown.NOTHING, before);
    }
  }

  /// A real-time get.
  public void get(SimulatedNode node, ShardId shard, String id) throws InterruptedException {
    Baseline before = ledger.baseline();
    long begin = rivalry.histories().now();
    try {
      RealTimeDocument found = found(node, shard, id);
      Shown shown = shown(found);
      ledger.read(shard, id, shown, before);
      rivalry.got(shard, id, begin, shown, found);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a get", node, e);
    }
  }

  /// Looks for a document where it is routed to, and once more when that is elsewhere by then, as
  /// the APIs do.
  private RealTimeDocument found(SimulatedNode node, ShardId shard, String id) throws Exception {
    while (true) {
      ShardId place = place(node, shard, id);
      RealTimeDocument found = cluster.call(node, () -> node.searches().get(place, id, true));
      if (found.exists() || place.equals(place(node, shard, id))) {
        return found;
      }
    }
  }

  /// The shard that has a document of a shard that may have been divided.
  private static ShardId place(SimulatedNode node, ShardId shard, String id) {
    IndexMetadata index = node.cluster().current().indices().get(shard.index().name());
    return index == null || index.split() == null
        ? shard
        : new ShardId(index.id(), Routing.shard(id, null, index.layout(), index.settings()));
  }

  public void get(SimulatedNode node, ShardId shard, SplittableRandom random)
      throws InterruptedException {
    get(node, shard, rivalry.id(random));
  }

  private static Shown shown(RealTimeDocument document) {
    byte[] source = document.source();
    if (!document.exists() || source == null) {
      return Shown.NOTHING;
    }
    long number = Json.parseObject(source, 0, source.length).path("n").asLong();
    return new Shown(true, number, document.seqNo(), document.primaryTerm());
  }

  /// Refreshes an index and says what every later search of it must show.
  ///
  /// @return an empty baseline when the refresh did not succeed
  public Baseline refresh(SimulatedNode node, IndexId index) throws InterruptedException {
    Baseline before = ledger.baseline();
    try {
      // With those that are added meanwhile.
      for (int number = 0; number < shardsOf(index, node).size(); number++) {
        refreshShard(node, shardsOf(index, node).get(number));
      }
      return before;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a refresh", node, e);
      return Baseline.NONE;
    }
  }

  /// Refreshes the shard of one document only, as who has written it does, and says what every
  /// later search must show of it.
  ///
  /// @return as above
  public Baseline refresh(SimulatedNode node, ShardId shard, String id)
      throws InterruptedException {
    Baseline before = ledger.baseline().only(Ledger.key(shard, id));
    try {
      ShardId refreshed = null;
      for (ShardId place = place(node, shard, id);
          !place.equals(refreshed);
          place = place(node, shard, id)) {
        refreshShard(node, place);
        refreshed = place;
      }
      return before;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a refresh", node, e);
      return Baseline.NONE;
    }
  }

  private void refreshShard(SimulatedNode node, ShardId shard) throws Exception {
    boolean _ =
        cluster.call(
            node,
            () -> {
              node.indexing().refresh(shard);
              return true;
            });
  }

  /// Searches a whole index.
  ///
  /// @param slowness how long the search holds its readers before it reads from them
  /// @return whether every shard answered
  public boolean search(SimulatedNode node, IndexId index, Baseline refreshed, Duration slowness)
      throws InterruptedException {
    SearchSource source =
        SearchParser.parse(
            Json.parseObject(
                "{\"size\":"
                    + HITS_MAX
                    + ",\"seq_no_primary_term\":true,\"query\":{\"match\":{\"text\":\"fox\"}}}"));
    SlowSearch slow = new SlowSearch(node, slowness);
    try {
      JsonNode answer =
          cluster.call(
              node,
              () -> rendered(node.searches().search(List.of(index), source, slow::isCancelled)));
      JsonNode failed = answer.path("_shards").path("failures");
      if (!failed.isEmpty()) {
        searchFailed(failed.toString());
        return false;
      }
      ledger.searched(shardsOf(index), hits(index, answer), refreshed);
      return true;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a search", node, e);
      return false;
    }
  }

  private List<ShardId> shardsOf(IndexId index) {
    return cluster.shards().stream().filter(shard -> shard.index().equals(index)).toList();
  }

  /// All that there are, as a node knows them.
  private List<ShardId> shardsOf(IndexId id, SimulatedNode node) {
    IndexMetadata index = node.cluster().current().indices().get(id.name());
    if (index == null || index.split() == null) {
      return shardsOf(id);
    }
    return IntStream.range(0, index.shards()).mapToObj(number -> new ShardId(id, number)).toList();
  }

  private static JsonNode rendered(SearchResponse response) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = Json.MAPPER.createGenerator(text)) {
      out.writeStartObject();
      response.write(out, false, false);
      out.writeEndObject();
    }
    return Json.parse(text.toString());
  }

  /// An id may lie in any shard of the index: clients choose shards themselves here, so the hit's
  /// write says which.
  private SortedMap<String, Shown> hits(IndexId index, JsonNode response) {
    TreeMap<String, Shown> shown = new TreeMap<>();
    for (JsonNode hit : response.path("hits").path("hits")) {
      long number = hit.path("_source").path("n").asLong();
      String key = ledger.keyOf(number, index.name() + "/?/" + hit.path("_id").asText());
      long seqNo = hit.path("_seq_no").asLong();
      rivalry.histories().sighted(key, number, seqNo);
      long primaryTerm = hit.path("_primary_term").asLong();
      Shown before = shown.put(key, new Shown(true, number, seqNo, primaryTerm));
      if (before != null) {
        alarm.violated("a search shows a document twice [document=" + key + "]");
      }
    }
    return shown;
  }

  /// Makes a shard's commits durable, or merges it.
  public void maintain(SimulatedNode node, ShardId shard, boolean isMerge)
      throws InterruptedException {
    try {
      cluster.call(
          node,
          () -> {
            if (isMerge) {
              node.indexing().forceMerge(shard, 1, false);
            } else {
              node.indexing().flush(shard);
            }
            return true;
          });
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed("a flush or merge", node, e);
    }
  }

  /// A request may fail when nodes die and stores do not answer, and in no other way.
  private void failed(String what, SimulatedNode node, Exception e) {
    failures++;
    boolean isHealthy = node.isServing() && !node.isEvicted() && cluster.isCalm();
    if (isHealthy && isBug(e)) {
      alarm.violated(what + " failed [node=" + node.process() + "]: " + FailureText.of(e));
    }
  }

  private static boolean isBug(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof dev.holdfast.objectstore.StoreException.NotFound
          || cause instanceof dev.holdfast.world.Promise.Broken
          || cause instanceof NullPointerException
          || cause instanceof IndexOutOfBoundsException
          || cause instanceof ClassCastException) {
        return true;
      }
    }
    return false;
  }

  private void searchFailed(String failures) {
    this.failures++;
    if (!cluster.isCalm()) {
      return;
    }
    if (failures.contains("no such object") || failures.contains("null_pointer")) {
      alarm.violated("a search failed: " + failures);
    }
  }
}
