package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.IngestPipeline;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.World;
import dev.holdfast.world.text.JsonMemory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Takes documents through the pipelines of their writes: the one that the request names or the
/// index has by default, then the final one of the index.
public final class IngestPipelines {
  private static final String NONE = "_none";

  /// The tree of a smaller document is not asked for.
  private static final int SMALL_MAX_BYTES = 256 << 10;

  /// Memory of the tree of a document for each of its bytes, at least: steps copy texts.
  private static final int TREE_FACTOR = 10;

  private final World world;
  private final Metadata metadata;
  private final StoredPipelines pipelines;
  private final IngestFigures figures;

  /// @param sources what processors ask
  public IngestPipelines(World world, Metadata metadata, IngestSources sources) {
    this.world = world;
    this.metadata = metadata;
    this.pipelines = new StoredPipelines(metadata, world.clock(), sources);
    this.figures = new IngestFigures(world.clock());
  }

  /// Ids of the pipelines that a write goes through; null for none.
  public record Route(@Nullable String first, @Nullable String last) {
    public boolean isEmpty() {
      return first == null && last == null;
    }
  }

  public IngestFigures figures() {
    return figures;
  }

  StoredPipelines pipelines() {
    return pipelines;
  }

  /// The pipelines of a write.
  ///
  /// @param index as the request names it; it need not exist
  /// @param asked what the request says; null for nothing, `_none` for no first pipeline
  public Route route(String index, @Nullable String asked) {
    String first = asked == null ? setting(index, "index.default_pipeline") : asked;
    String last = setting(index, "index.final_pipeline");
    return new Route(NONE.equals(first) ? null : first, NONE.equals(last) ? null : last);
  }

  private @Nullable String setting(String index, String name) {
    ClusterState state = metadata.current();
    String plain = DateMathNames.resolve(index, world.clock().epochMillis());
    // Who has very many indices has most often none of that alias: it is looked for last.
    boolean isKnown =
        state.indices().containsKey(plain)
            || DataStreams.written(state, plain) != null
            || state.indices().values().stream().anyMatch(one -> one.aliases().containsKey(plain));
    SortedMap<String, Object> settings =
        isKnown
            ? SingleIndex.of(state, plain, true).settings()
            : MatchingTemplates.resolve(state, plain).settings();
    Object value = settings.get(name);
    return value == null ? null : value.toString();
  }

  /// The document after its pipelines.
  ///
  /// @throws Refusal when a pipeline does not exist or refuses the document
  public IngestDraft run(Route route, IngestDraft draft) {
    return run(route, draft, new IngestTrail(), signal(() -> false));
  }

  /// Ends pipelines that nobody waits for any more, and lets others run meanwhile: they may call
  /// one another until no time is enough. For all documents of a request, one after the other.
  public StopSignal signal(BooleanSupplier isCancelled) {
    return StopSignal.beside(isCancelled, world.clock()).sharing();
  }

  /// The same.
  ///
  /// @param trail hears where the document was refused
  /// @param signal see [#signal]
  public IngestDraft run(Route route, IngestDraft draft, IngestTrail trail, StopSignal signal) {
    return signal.<IngestDraft, RuntimeException>during(() -> {
      StopSignal.lookForCancelling();
      return within(route, draft, trail);
    });
  }

  private IngestDraft within(Route route, IngestDraft draft, IngestTrail trail) {
    IngestDraft made;
    try (Reservation memory = world.memory().request().begin("<ingest_document>")) {
      addTree(memory, draft);
      made =
          WorkMemory.<IngestDraft, RuntimeException>during(
              memory, () -> through(route, draft, trail));
    }
    RequestMemory.add(Math.max(0, made.length() - draft.length()));
    return made;
  }

  private static void addTree(Reservation memory, IngestDraft draft) {
    if (draft.length() > SMALL_MAX_BYTES) {
      long tree = JsonMemory.ofText(draft.bytes(), draft.offset(), draft.length());
      memory.add(Math.max(tree, (long) TREE_FACTOR * draft.length()));
    }
  }

  private IngestDraft through(Route route, IngestDraft draft, IngestTrail trail) {
    ObjectNode source = Json.parseObject(draft.bytes(), draft.offset(), draft.length());
    IngestDocument document =
        new IngestDocument(
            source,
            IngestMetadata.of(draft),
            Instant.ofEpochMilli(world.clock().epochMillis()).toString());
    document.countTo(figures);
    try {
      IngestDraft made = run(route, draft, document);
      String first = route.first() == null ? route.last() : route.first();
      if (first != null) {
        figures.through(first, draft.length(), made.isDropped() ? 0 : made.length());
      }
      return made;
    } catch (Refusal e) {
      trail.failedAt(document.failedAt());
      throw e;
    }
  }

  /// Takes a document through its first pipeline, and through those of the indices that it is sent
  /// to.
  ///
  /// @return the final pipeline of where it is written; null for none
  private @Nullable String firsts(
      Route route, IngestDraft draft, IngestDocument document, List<String> executed) {
    String first = route.first();
    String last = route.last();
    String index = draft.index();
    Set<String> visited = new LinkedHashSet<>(List.of(index));
    while (first != null) {
      String ran = first;
      take(ran, document, executed);
      first = null;
      String target = document.metadata().path("_index").asText();
      boolean isRerouted = document.takeRerouted();
      if (target.equals(index) || document.isDropped()) {
        continue;
      }
      if (isRerouted && !visited.add(target)) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "index cycle detected while processing pipeline ["
                + ran
                + "] for document ["
                + draft.id()
                + "]: "
                + visited
                + " -> "
                + target);
      }
      Route next = route(target, isRerouted ? null : NONE);
      first = next.first();
      last = next.last();
      index = target;
    }
    return last;
  }

  private IngestDraft run(Route route, IngestDraft draft, IngestDocument document) {
    List<String> executed = new ArrayList<>();
    String last = firsts(route, draft, document, executed);
    if (last != null && !document.isDropped()) {
      String before = document.metadata().path("_index").asText();
      take(last, document, executed);
      boolean _ = document.takeRerouted();
      String after = document.metadata().path("_index").asText();
      if (!after.equals(before)) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "final pipeline ["
                + last
                + "] can't change the target index (from ["
                + before
                + "] to ["
                + after
                + "]) for document ["
                + draft.id()
                + "]");
      }
    }
    return IngestMetadata.read(draft, document, executed);
  }

  /// The body of an update whose new document, if one is made, went through the pipelines.
  ///
  /// @param signal see [#signal]
  public IngestDraft runUpsert(Route route, IngestDraft update, StopSignal signal) {
    try (Reservation memory = world.memory().request().begin("<ingest_document>")) {
      addTree(memory, update);
      return upserted(route, update, signal);
    }
  }

  private IngestDraft upserted(Route route, IngestDraft update, StopSignal signal) {
    ObjectNode body = Json.parseObject(update.bytes(), update.offset(), update.length());
    String member = body.path("doc_as_upsert").asBoolean(false) ? "doc" : "upsert";
    JsonNode document = body.get(member);
    if (!(document instanceof ObjectNode)) {
      return update;
    }
    IngestDraft draft = update.withBody(Json.bytes(document));
    IngestDraft made = run(route, draft, new IngestTrail(), signal);
    body.set(member, Json.parse(made.bytes(), made.offset(), made.length()));
    byte[] changed = Json.bytes(body);
    return new IngestDraft(
        made.index(),
        made.id(),
        made.routing(),
        made.condition(),
        changed,
        0,
        changed.length,
        made.isDropped(),
        made.executed());
  }

  private void take(String id, IngestDocument document, List<String> executed) {
    IngestPipeline pipeline = pipelines.find(id);
    if (pipeline == null) {
      throw Refusal.badArgument("pipeline with id [" + id + "] does not exist");
    }
    long start = figures.total().began();
    boolean hasFailed = true;
    try {
      pipeline.run(document);
      hasFailed = false;
    } finally {
      figures.total().ended(start, hasFailed);
    }
    executed.add(id);
  }
}
