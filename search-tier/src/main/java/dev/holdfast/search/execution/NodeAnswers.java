package dev.holdfast.search.execution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.Mapping;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.inspection.ShardInspection;
import dev.holdfast.query.inspection.ShardInspections;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.copy.CopyWarming;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.copy.SearchMappings;
import dev.holdfast.search.copy.SegmentFigures;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.search.held.HeldCommit;
import dev.holdfast.search.held.HeldCommits;
import dev.holdfast.search.held.ScrollPosition;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How this node answers each [NodeQuestion], and how the answers are read.
public final class NodeAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAnswers.class);

  /// Whether a shard is asked only where its copy holds a reader.
  public static final String IF_OPEN = "if_open";

  private final World world;
  private final Metadata metadata;
  private final SearchCopies copies;
  private final SearchMappings mappings;
  private final HeldCommits commits;
  private final CopyWarming warming;

  public NodeAnswers(
      World world,
      Metadata metadata,
      SearchCopies copies,
      SearchMappings mappings,
      HeldCommits commits,
      CopyWarming warming) {
    this.world = world;
    this.metadata = metadata;
    this.copies = copies;
    this.mappings = mappings;
    this.commits = commits;
    this.warming = warming;
  }

  public ObjectNode answer(NodeQuestion question, ObjectNode body)
      throws IOException, InterruptedException {
    return switch (question) {
      case SHARD -> shard(body);
      case SEGMENTS -> segments(TargetJson.shard(body));
      case FILE_BYTES -> fileBytes(TargetJson.shard(body));
      case OPEN -> open(body);
      case OPEN_SPARE -> openSpare(body);
      case DESCRIBE -> described(commits.require(TargetJson.context(body)));
      case SETTLE -> settled(kept(body), body);
      case KEEP -> progress(kept(body));
      case EACH -> each(body);
      case CLOSE -> number(commits.close(TargetJson.context(body)) ? 1 : 0);
      case CLOSE_PINNED -> number(commits.closePinned(body.path("pin").asText()));
      case CLOSE_ALL -> number(commits.closeAll(kind(body)));
      case COUNT -> number(commits.open(kind(body)));
      case CACHES -> CacheFigures.json(copies.caches().figures());
      case SEARCHES -> SearchFigures.json(commits.searched());
      case FIELD_USE -> fieldUse(TargetJson.uuids(body));
      case CLEAR_CACHES -> {
        Set<String> uuids = TargetJson.uuids(body);
        copies
            .caches()
            .clear(
                shard -> uuids.contains(shard.index().uuid()),
                body.path("filters").asBoolean(),
                body.path("requests").asBoolean());
        yield Json.object();
      }
      case DAMAGE -> damage(TargetJson.shard(body));
      case CACHED -> {
        ShardId shard = TargetJson.shard(body);
        yield warming.cached(shard, copies.inUse(shard).blobs());
      }
    };
  }

  private ObjectNode damage(ShardId shard) {
    Refusal damage = copies.damage(shard);
    return damage == null ? Json.object() : Json.object().put("reason", damage.reason());
  }

  private ObjectNode fieldUse(Set<String> uuids) {
    ObjectNode json = Json.object();
    ArrayNode list = json.putArray("copies");
    copies
        .fieldUse(shard -> uuids.contains(shard.index().uuid()))
        .forEach((shard, use) -> {
          ObjectNode one = TargetJson.shard(shard);
          one.setAll(use.toJson());
          list.add(one);
        });
    return json;
  }

  private ObjectNode open(ObjectNode body) throws IOException, InterruptedException {
    JsonNode pin = body.path("pin");
    ContextId context =
        commits.open(
            TargetJson.target(body.path("target")),
            kind(body),
            Duration.ofMillis(body.path("keep_millis").asLong()),
            body.path("request").asText(),
            pin.isObject()
                ? new HeldCommit.Pin(
                    pin.path("id").asText(),
                    pin.path("is_kept_here").asBoolean(),
                    pin.path("until_millis").asLong())
                : null);
    ObjectNode answer = TargetJson.context(context);
    putCommit(answer, commits.require(context));
    return answer;
  }

  private static void putCommit(ObjectNode answer, HeldCommit held) {
    held.commit().write(answer);
    answer.put("is_uploaded", !held.isOpen() || held.opened().isUploaded());
  }

  /// What another node needs to keep the same.
  private static ObjectNode described(HeldCommit held) throws IOException {
    ObjectNode json = Json.object().put("request", held.request());
    json.set("target", TargetJson.target(held.target()));
    putCommit(json, held);
    held.position().write(json);
    return json;
  }

  private ObjectNode openSpare(ObjectNode body) throws IOException {
    ShardTarget target = TargetJson.target(body.path("target"));
    return TargetJson.context(
        commits.openSpare(
            target,
            StoredCommit.read(target.shard(), body),
            body.path("is_uploaded").asBoolean(),
            ScrollPosition.read(body),
            Duration.ofMillis(body.path("keep_millis").asLong()),
            body.path("request").asText()));
  }

  /// What is asked about each, when that is the question.
  public static NodeQuestion inner(NodeQuestion question, ObjectNode body) {
    return question == NodeQuestion.EACH
        ? NodeQuestion.valueOf(body.path("question").asText())
        : question;
  }

  private ObjectNode each(ObjectNode all) throws IOException, InterruptedException {
    NodeQuestion question = inner(NodeQuestion.EACH, all);
    ObjectNode json = Json.object();
    ArrayNode answers = json.putArray("answers");
    for (JsonNode body : all.path("bodies")) {
      try {
        answers.add(answer(question, (ObjectNode) body));
      } catch (Refusal e) {
        LOG.debug("not answered for a context [question={}]", question, e);
        answers.addNull();
      }
    }
    return json;
  }

  private HeldCommit kept(ObjectNode body) {
    Duration keepAlive = Duration.ofMillis(body.path("keep_millis").asLong());
    return commits.keep(TargetJson.context(body), keepAlive);
  }

  private static ObjectNode progress(HeldCommit held) {
    return Json.object()
        .put("pages", held.position().pages())
        .put("is_alone", held.isAlone())
        .put("request", held.request());
  }

  /// The position is told when another node searched the last page, and answered in any case.
  private static ObjectNode settled(HeldCommit held, ObjectNode body) throws IOException {
    if (body.has("total")) {
      held.settle(ScrollPosition.read(body));
    } else {
      held.settle(body.path("pages").asLong(), body.path("is_alone").asBoolean());
    }
    ObjectNode position = Json.object();
    held.position().write(position);
    return position;
  }

  private static ShardContexts.Kind kind(JsonNode body) {
    return ShardContexts.Kind.valueOf(body.path("kind").asText());
  }

  private static ObjectNode number(long number) {
    return Json.object().put("number", number);
  }

  private ObjectNode shard(ObjectNode body) throws IOException, InterruptedException {
    ShardId shard = TargetJson.shard(body);
    ShardInspection asked = ShardInspections.ALL.get(body.path("question").asText());
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    if (asked == null) {
      throw Refusal.badArgument(
          "unknown question about a shard [" + body.path("question").asText() + "]");
    }
    if (index == null || !index.id().equals(shard.index())) {
      throw Refusal.indexNotFound(shard.index().name());
    }
    ObjectNode given = body.get("body") instanceof ObjectNode object ? object : Json.object();
    Mapping mapping = mappings.of(index);
    OpenCommit found =
        body.path(IF_OPEN).asBoolean()
            ? copies.acquireIfOpen(shard)
            : copies.acquire(
                shard, TargetJson.dividedSince(body), SearchConfig.NO_TIMEOUT, () -> false);
    if (found == null) {
      return Json.object();
    }
    OpenCommit opened = found.with(mapping, copies.caches().runtimeColumns(), () -> false);
    try (Reservation memory = world.memory().request().begin("<shard_question>")) {
      BooleanSupplier isOver = HeapPoll.with(world.memory().heap(), memory, () -> false);
      QueryContext context =
          new QueryContext(
                  shard.index().name(),
                  shard.number(),
                  mapping,
                  ElasticsearchSimilarity.searcher(opened.searcher(), mapping),
                  world.clock().epochMillis(),
                  isOver)
              .reserving(memory);
      return StopSignal.beside(isOver, world.clock())
          .<ObjectNode, IOException>during(() ->
              WorkMemory.<ObjectNode, IOException>during(
                  memory, () -> asked.answer(context, given)));
    } finally {
      opened.release();
    }
  }

  private ObjectNode segments(ShardId shard) throws IOException, InterruptedException {
    OpenCommit opened = copies.acquire(shard);
    try {
      ObjectNode json = Json.object();
      ArrayNode list = json.putArray("segments");
      SegmentFigures.of(opened.reader())
          .forEach(one -> list.add(Json.MAPPER.<JsonNode>valueToTree(one)));
      return json;
    } finally {
      opened.release();
    }
  }

  public static List<SegmentFigures> segments(ObjectNode answer) throws IOException {
    List<SegmentFigures> segments = new ArrayList<>();
    for (JsonNode one : answer.path("segments")) {
      segments.add(Json.MAPPER.treeToValue(one, SegmentFigures.class));
    }
    return segments;
  }

  private ObjectNode fileBytes(ShardId shard) throws IOException, InterruptedException {
    OpenCommit opened = copies.acquire(shard);
    try {
      ObjectNode json = Json.object();
      SegmentFigures.fileBytes(opened.reader()).forEach(json::put);
      return json;
    } finally {
      opened.release();
    }
  }

  public static Map<String, Long> fileBytes(ObjectNode answer) {
    Map<String, Long> bytes = new TreeMap<>();
    answer.properties().forEach(one -> bytes.put(one.getKey(), one.getValue().asLong()));
    return bytes;
  }
}
