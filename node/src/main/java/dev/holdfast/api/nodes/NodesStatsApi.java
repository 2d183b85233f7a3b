package dev.holdfast.api.nodes;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.cluster.member.NodeSelector;
import dev.holdfast.api.ingest.IngestFigures;
import dev.holdfast.api.stats.FieldFigures;
import dev.holdfast.api.stats.HostStats;
import dev.holdfast.api.stats.HostStatsJson;
import dev.holdfast.api.stats.JvmJson;
import dev.holdfast.api.stats.NodesJson;
import dev.holdfast.api.stats.ProcessGauges;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardStatsJson;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.api.stats.ThreadPools;
import dev.holdfast.api.stats.TierParts;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.server.CallCounters;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.search.SearchTier;
import dev.holdfast.search.Searches;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Clock;
import dev.holdfast.world.HeapUse;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// `GET /_nodes/stats`: what nodes are doing, in numbers.
public final class NodesStatsApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "completion_fields",
          "fielddata_fields",
          "fields",
          "groups",
          "include_segment_file_sizes",
          "include_unloaded_segments",
          "level",
          "timeout",
          "types");

  /// What the machine is: a section that `_cluster/stats` asks for.
  public static final String MACHINE = "machine";

  /// What clients searched by: another.
  public static final String USAGE = "search_usage";

  /// What is done with snapshots now: another.
  public static final String SNAPSHOTS = "snapshots";

  /// All that is told of a shard, as a tree, of which each node makes one for its answer.
  private static final long SHARD_BYTES = 16 << 10;

  private static final Set<String> METRICS =
      new TreeSet<>(
          List.of(
              "adaptive_selection",
              "allocations",
              "breaker",
              "discovery",
              "fs",
              "http",
              "indexing_pressure",
              "indices",
              "ingest",
              "jvm",
              "os",
              "process",
              "repositories",
              "script",
              "script_cache",
              "thread_pool",
              "transport"));

  private final Clock clock;
  private final NodeSettings settings;
  private final ClusterMembers members;
  private final Searches searches;
  private final TierParts tiers;
  private final ProcessGauges gauges;
  private final IngestFigures ingest;
  private final Map<String, Section> asked;
  private final Broadcast nodes;

  /// Writes what is told in a section.
  @FunctionalInterface
  public interface Section {
    void write(StatisticsWriter figures) throws IOException;
  }

  /// @param asked sections that `_cluster/stats` asks for
  public NodesStatsApi(
      Clock clock,
      NodeSettings settings,
      ClusterMembers members,
      Searches searches,
      TierParts tiers,
      ProcessGauges gauges,
      Broadcasts calls,
      IngestFigures ingest,
      Map<String, Section> asked) {
    this.clock = clock;
    this.settings = settings;
    this.members = members;
    this.searches = searches;
    this.tiers = tiers;
    this.gauges = gauges;
    this.ingest = ingest;
    this.asked = Map.copyOf(asked);
    this.nodes = calls.call("nodes-stats", this::here);
  }

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    NodeSelector choice = NodeSelector.of(request, members, METRICS);
    requireSections(request, choice);
    ShardStatsJson.Detail detail = ShardStatsJson.Detail.of(request);
    ObjectNode question = Json.object();
    choice.metrics().forEach(question.putArray("metrics")::add);
    request.list("index_metric").forEach(question.putArray("sections")::add);
    detail.groups().forEach(question.putArray("groups")::add);
    String level = request.text("level", "node");
    if (!level.equals("node") && choice.metrics().contains("indices")) {
      Collection<IndexMetadata> indices = members.metadata().current().indices().values();
      RequestMemory.add(SHARD_BYTES * indices.stream().mapToLong(IndexMetadata::shards).sum());
    }
    question.put("level", level);
    question.put("with_files", detail.withFiles()).put("human", request.human());
    Broadcast.Seen seen = nodes.ask(question, request, member -> isMeant(request, METRICS, member));
    return Answer.of(out -> {
      out.writeStartObject();
      NodesJson.header(out, seen.nodes().size(), seen.silent().size());
      out.writeStringField("cluster_name", settings.clusterName());
      out.writeObjectFieldStart("nodes");
      for (Map.Entry<String, JsonNode> node : seen.nodes().entrySet()) {
        out.writeFieldName(node.getKey());
        out.writeTree(node.getValue());
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  private static void requireSections(ApiRequest request, NodeSelector choice) {
    String level = request.text("level", "node");
    if (!List.of("node", "indices", "shards").contains(level)) {
      throw Refusal.badArgument(
          "level parameter must be one of [node] or [indices] or [shards] but was [" + level + "]");
    }
    List<String> sections = request.list("index_metric");
    if (!sections.isEmpty() && !choice.metrics().contains("indices")) {
      throw Refusal.badArgument(
          "request ["
              + request.path()
              + "] contains index metrics ["
              + String.join(",", sections)
              + "] but indices stats not requested");
    }
    if (!sections.isEmpty() && request.text("metric", "").equals("_all")) {
      throw Refusal.badArgument(
          "request ["
              + request.path()
              + "] contains index metrics ["
              + String.join(",", sections)
              + "] but all stats requested");
    }
    for (String section : sections) {
      if (!section.equals("_all") && !ShardStatsJson.METRICS.contains(section)) {
        throw Refusal.badArgument(
            "request ["
                + request.path()
                + "] contains unrecognized index metric: ["
                + section
                + "]"
                + NodeSelector.didYouMean(section, ShardStatsJson.METRICS));
      }
    }
  }

  /// What the nodes that a request names tell of themselves, without forms for people.
  ///
  /// @param metrics sections of this API, [#MACHINE] and its kin, or [AboutNode#SECTION]
  public Broadcast.Seen told(ApiRequest request, List<String> metrics) throws InterruptedException {
    ObjectNode question = Json.object();
    metrics.forEach(question.putArray("metrics")::add);
    return nodes.ask(question, request, member -> isMeant(request, Set.of(), member));
  }

  private boolean isMeant(ApiRequest request, Set<String> known, Member member) {
    return NodeSelector.isChosen(request, members, known, NodeIdentity.of(member));
  }

  /// This node's part of the answer.
  private JsonNode here(ObjectNode question) throws IOException {
    ShardStatsJson.Detail detail =
        new ShardStatsJson.Detail(
            texts(question.path("groups")), question.path("with_files").asBoolean());
    try (TokenBuffer out = new TokenBuffer(Json.MAPPER, false)) {
      node(
          out,
          new TreeSet<>(texts(question.path("metrics"))),
          texts(question.path("sections")),
          question.path("level").asText("node"),
          detail,
          new StatisticsWriter(out, question.path("human").asBoolean()));
      return Json.MAPPER.readTree(out.asParser());
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(one -> texts.add(one.asText()));
    return texts;
  }

  private void node(
      JsonGenerator out,
      Set<String> metrics,
      List<String> sections,
      String level,
      ShardStatsJson.Detail detail,
      StatisticsWriter figures)
      throws IOException {
    NodeIdentity node = members.self();
    HostStats machine = HostStats.now(settings.data());
    long now = clock.epochMillis();
    out.writeStartObject();
    figures.number("timestamp", now);
    figures.text("name", node.name());
    figures.text("transport_address", node.address());
    figures.text("host", node.host());
    figures.text("ip", node.address());
    figures.strings("roles", NodeRoles.names());
    figures.object("attributes", () -> {});
    section(figures, metrics, "indices", () -> indices(figures, sections, level, detail));
    section(figures, metrics, "os", () -> HostStatsJson.os(figures, machine, now));
    section(figures, metrics, "process", () -> HostStatsJson.process(figures, machine, now));
    section(
        figures, metrics, "jvm", () -> JvmJson.write(figures, machine, now, node.startMillis()));
    section(figures, metrics, "thread_pool", () -> pools(figures));
    section(figures, metrics, AboutNode.SECTION, () -> AboutNode.write(figures, machine, gauges));
    section(figures, metrics, "fs", () -> HostStatsJson.disk(figures, machine, now));
    section(figures, metrics, "http", () -> http(figures));
    if (metrics.contains("breaker")) {
      figures.object("breakers", () -> breakers(figures));
    }
    section(figures, metrics, "transport", () -> transport(figures));
    section(figures, metrics, "indexing_pressure", () -> pressure(figures));
    section(figures, metrics, "ingest", () -> ingest(figures));
    section(figures, metrics, "script", () -> scripts(figures));
    section(figures, metrics, MACHINE, () -> HostStatsJson.machine(figures));
    for (Map.Entry<String, Section> one : asked.entrySet()) {
      section(figures, metrics, one.getKey(), () -> one.getValue().write(figures));
    }
    if (metrics.contains("script_cache")) {
      figures.object("script_cache", () -> figures.object("sum", () -> scripts(figures)));
    }
    out.writeEndObject();
  }

  private static void section(
      StatisticsWriter figures, Set<String> metrics, String name, StatisticsWriter.Inside inside)
      throws IOException {
    if (metrics.contains(name)) {
      figures.object(name, inside);
    }
  }

  private void indices(
      StatisticsWriter figures, List<String> sections, String level, ShardStatsJson.Detail detail)
      throws IOException {
    IndexingTier indexing = tiers.indexing();
    SearchTier search = tiers.search();
    Map<ShardId, SearchFigures> searched = search == null ? Map.of() : search.searched();
    Predicate<String> isShown =
        name -> sections.isEmpty() || sections.contains("_all") || sections.contains(name);
    List<ShardFigures> shards =
        indexing == null ? List.of() : ShardFigures.ofNode(indexing, members.metadata().current());
    Map<ShardId, FieldFigures> fields =
        FieldFigures.METRICS.stream().anyMatch(isShown)
            ? FieldFigures.of(searches::askIfOpen, clock, shards)
            : Map.of();
    ShardStatsJson.write(
        figures,
        ShardFigures.sum(shards),
        SearchFigures.sum(searched.values()),
        detail.with(FieldFigures.sum(fields, shards)),
        search == null ? CacheFigures.NONE : CacheFigures.sum(search.caches().values()),
        isShown);
    if (isShown.test("shard_stats")) {
      figures.object("shard_stats", () -> figures.number("total_count", shards.size()));
    }
    Map<ShardId, CacheFigures> caches = search == null ? Map.of() : search.caches();
    new NodeShardStats(members.metadata().current(), searched, caches, fields, detail, isShown)
        .write(figures, level, shards);
  }

  private void pools(StatisticsWriter figures) throws IOException {
    for (ThreadPools.Pool pool : ThreadPools.of(gauges.pools())) {
      figures.object(pool.name(), () -> pool.writeStats(figures));
    }
  }

  private void http(StatisticsWriter figures) throws IOException {
    HttpCounters counters = gauges.http();
    figures.number("current_open", gauges.connections().getAsInt());
    figures.number("current_requests", counters.current());
    figures.number("total_requests", counters.requests());
    figures.bytes("total_request", counters.requestBytes());
    figures.bytes("total_answer", counters.answerBytes());
    figures.number("client_errors", counters.clientErrors());
    figures.number("server_errors", counters.serverErrors());
  }

  private void breakers(StatisticsWriter figures) throws IOException {
    RequestBytes bytes = gauges.requestBytes();
    figures.object(
        "inflight_requests",
        () -> breaker(figures, bytes.bytesMax(), bytes.bytes(), bytes.tripped()));
    CircuitBreaker request = gauges.memory().request();
    figures.object(
        "request", () -> breaker(figures, request.limit(), request.bytes(), request.tripped()));
    CircuitBreaker fieldData = gauges.memory().fieldData();
    figures.object(
        "fielddata",
        () -> breaker(figures, fieldData.limit(), fieldData.bytes(), fieldData.tripped()));
    HeapUse heap = gauges.memory().heap();
    figures.object("parent", () -> breaker(figures, heap.limit(), heap.bytes(), heap.tripped()));
  }

  private static void breaker(StatisticsWriter figures, long limit, long estimated, long tripped)
      throws IOException {
    figures.sized("limit_size", limit);
    figures.sized("estimated_size", estimated);
    figures.decimal("overhead", 1.0);
    figures.number("tripped", tripped);
  }

  /// Other nodes call the port that clients call.
  private void transport(StatisticsWriter figures) throws IOException {
    CallCounters calls = gauges.calls();
    figures.number("server_open", gauges.connections().getAsInt());
    figures.number("total_outbound_connections", calls.peers());
    figures.number("rx_count", calls.received());
    figures.bytes("rx_size", calls.receivedBytes());
    figures.number("tx_count", calls.sent());
    figures.bytes("tx_size", calls.sentBytes());
  }

  private void pressure(StatisticsWriter figures) throws IOException {
    IndexingTier indexing = tiers.indexing();
    IndexingPressure.write(
        figures,
        gauges.requestBytes(),
        gauges.http().requestBytes(),
        indexing == null ? null : indexing.measures().inFlight());
  }

  private void ingest(StatisticsWriter figures) throws IOException {
    IngestStatistics.write(figures, ingest);
  }

  /// Scripts that this node compiled.
  private void scripts(StatisticsWriter figures) throws IOException {
    figures.number("compilations", gauges.scripts().compilations());
    figures.number("cache_evictions", gauges.scripts().evictions());
    figures.number("compilation_limit_triggered", gauges.scripts().refused());
  }
}
