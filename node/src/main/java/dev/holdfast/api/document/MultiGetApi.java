package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.search.SearchTargets;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.api.search.lookup.StoredValues;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.RequestPieces;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import dev.holdfast.world.concurrent.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_mget`, `/{index}/_mget`: many documents by id; each that fails does so alone.
public final class MultiGetApi implements Api {
  private static final int DOCUMENTS_MAX = 100_000;

  /// Its own.
  public static final List<String> PARAMETERS =
      GetDocumentApi.PARAMETERS.stream().filter(name -> !name.startsWith("version")).toList();

  /// Documents that one request reads at a time: each may lie on another node.
  private static final int READS_MAX = 32;

  /// Documents whose shards do not answer are waited for together no longer than one alone.
  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /// What is held for a document besides its source: what was asked and what became of it.
  private static final long ITEM_BYTES = 512;

  private static final Set<String> MEMBERS =
      Set.of("_index", "_id", "routing", "version", "version_type", "_source", "stored_fields");
  private static final Set<String> VERSION_TYPES =
      Set.of("internal", "external", "external_gte", "external_gt", "force");

  private final World world;
  private final DocumentReads reads;

  public MultiGetApi(World world, DocumentReads reads) {
    this.world = world;
    this.reads = reads;
  }

  /// A document, or why it can't be read.
  private record Outcome(
      DocumentReads.Wanted wanted,
      DocumentReads.@Nullable Found found,
      @Nullable Refusal refusal) {}

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    List<DocumentReads.Wanted> wanted = wanted(request);
    List<Outcome> outcomes = outcomes(wanted, request.isCancelled());
    return Answer.of(out -> {
      StoredValues values = new StoredValues();
      out.writeStartObject();
      out.writeArrayFieldStart("docs");
      for (Outcome outcome : outcomes) {
        out.writeStartObject();
        write(out, outcome, values);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /// A few threads share the documents; the first that there is no memory for, and a client that
  /// leaves, end them all.
  private List<Outcome> outcomes(List<DocumentReads.Wanted> wanted, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    RequestMemory.add(ITEM_BYTES * wanted.size());
    if (wanted.size() == 1) {
      return List.of(outcome(wanted.getFirst()));
    }
    Outcome[] outcomes = new Outcome[wanted.size()];
    AtomicInteger next = new AtomicInteger();
    long startNanos = world.clock().nanoTime();
    Map<String, Refusal> inVain = new ConcurrentHashMap<>();
    Callable<Boolean> reader =
        () -> {
          try {
            for (int i = next.getAndIncrement(); i < outcomes.length; i = next.getAndIncrement()) {
              if (isCancelled.getAsBoolean()) {
                throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
              }
              StopSignal.lookForCancelling(); // and others run
              outcomes[i] = outcome(wanted.get(i), startNanos, inVain);
            }
            return true;
          } catch (Throwable e) {
            next.set(outcomes.length);
            throw e;
          }
        };
    List<Boolean> _ =
        RequestPieces.all(
            FanOut.of(world, "mget"),
            Collections.nCopies(Math.min(READS_MAX, wanted.size()), reader));
    return List.of(outcomes);
  }

  /// One of many.
  ///
  /// @param inVain indices of which one was waited for in vain: once all time is over, no other of
  ///   them is asked for
  private Outcome outcome(DocumentReads.Wanted wanted, long startNanos, Map<String, Refusal> inVain)
      throws Exception {
    Refusal known = inVain.get(wanted.index());
    if (known != null && left(startNanos).isZero()) {
      return new Outcome(wanted, null, known);
    }
    Outcome outcome = Patience.SHARD.during(() -> left(startNanos), () -> outcome(wanted));
    Refusal refusal = outcome.refusal();
    if (refusal != null && refusal.status() == 503) {
      var _ = inVain.putIfAbsent(wanted.index(), refusal);
    }
    return outcome;
  }

  private Duration left(long startNanos) {
    Duration left = WAIT_MAX.minusNanos(world.clock().nanoTime() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Outcome outcome(DocumentReads.Wanted wanted) throws IOException, InterruptedException {
    if (wanted.id().isEmpty()) {
      return new Outcome(wanted, null, Refusal.badArgument("Ids can't be empty"));
    }
    DocumentReads.Found found;
    try {
      found = reads.read(wanted);
    } catch (Refusal e) {
      return new Outcome(wanted, null, e);
    }
    byte[] source = found.document().source();
    RequestMemory.add(source == null ? 0 : source.length);
    return new Outcome(wanted, found, null);
  }

  private static void write(JsonGenerator out, Outcome outcome, StoredValues values)
      throws IOException {
    if (outcome.found() != null) {
      DocumentReads.write(out, outcome.found(), outcome.wanted(), values);
      return;
    }
    out.writeStringField("_index", outcome.wanted().index());
    out.writeStringField("_id", outcome.wanted().id());
    out.writeFieldName("error");
    ErrorBody.write(out, Objects.requireNonNull(outcome.refusal()), false);
  }

  private static List<DocumentReads.Wanted> wanted(ApiRequest request) {
    SearchTargets.requirePreference(request);
    JsonObject body = JsonObject.of("mget", request.body().tree());
    List<String> storedFields = request.list("stored_fields");
    SourceFilter source =
        SourceParameters.read(
            request, !request.has("stored_fields") || storedFields.contains("_source"));
    List<DocumentReads.Wanted> wanted = new ArrayList<>();
    JsonNode docs = body.take("docs");
    JsonNode ids = body.take("ids");
    body.done();
    requireArray(docs);
    requireArray(ids);
    if (docs != null) {
      docs.forEach(doc -> wanted.add(one(request, source, storedFields, doc)));
    }
    if (ids != null) {
      for (JsonNode id : ids) {
        if (!id.isValueNode() || id.isNull()) {
          throw Refusal.badArgument("ids array element should only contain ids");
        }
        wanted.add(
            wanted(
                request,
                source,
                request.text("index"),
                id.asText(),
                null,
                DocumentReads.VERSION_ANY,
                storedFields));
      }
    }
    if (wanted.isEmpty() || wanted.size() > DOCUMENTS_MAX) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          wanted.isEmpty()
              ? "Validation Failed: 1: no documents to get;"
              : "Validation Failed: 1: too many documents to get [max=" + DOCUMENTS_MAX + "];");
    }
    return wanted;
  }

  private static void requireNothingElse(JsonNode doc) {
    for (var member : doc.properties()) {
      if (member.getKey().equals("fields")) {
        throw new Refusal(
            ErrorType.PARSING, "Unsupported field [fields] used, expected [stored_fields] instead");
      }
      if (!MEMBERS.contains(member.getKey())) {
        throw new Refusal(
            ErrorType.PARSE,
            "failed to parse multi get request. unknown field [" + member.getKey() + "]");
      }
    }
  }

  private static void requireArray(@Nullable JsonNode node) {
    if (node != null && !node.isArray()) {
      throw new Refusal(
          ErrorType.PARSING,
          "unexpected token ["
              + node.asToken().name()
              + "], expected [FIELD_NAME] or [START_ARRAY]");
    }
  }

  /// @param storedFields of the URL: one list for all, which may be long
  private static DocumentReads.Wanted one(
      ApiRequest request, SourceFilter source, List<String> storedFields, JsonNode doc) {
    JsonObject object = JsonObject.of("docs", doc);
    String index = object.string("_index", request.text("index", ""));
    String id = object.string("_id");
    String routing = routing(object, request.text("routing", ""));
    long version = object.longValue("version", DocumentReads.VERSION_ANY);
    String versionType = object.string("version_type");
    if (versionType != null && !VERSION_TYPES.contains(versionType)) {
      throw Refusal.badArgument("No version type match [" + versionType + "]");
    }
    JsonNode ownSource = object.take("_source");
    boolean hasStored = object.node().hasNonNull("stored_fields");
    List<String> stored = object.strings("stored_fields");
    requireNothingElse(doc);
    SourceFilter shown = source;
    if (ownSource != null && ownSource.isNumber()) {
      throw new Refusal(ErrorType.PARSE, "illegal type for _source: [VALUE_NUMBER]");
    }
    if (ownSource != null) {
      shown = SourceFilter.parse(ownSource);
    } else if (hasStored) {
      shown = stored.contains("_source") ? SourceFilter.ALL : SourceFilter.NONE;
    }
    boolean checksVersion = version != DocumentReads.VERSION_ANY && !"force".equals(versionType);
    return wanted(
        request,
        shown,
        index.isEmpty() ? null : index,
        id,
        routing.isEmpty() ? null : routing,
        checksVersion ? version : DocumentReads.VERSION_ANY,
        hasStored ? stored : storedFields);
  }

  /// A text; of an array, as older clients send it, the last one.
  private static String routing(JsonObject object, String whenAbsent) {
    JsonNode given = object.node().get("routing");
    if (given == null || !given.isArray()) {
      return object.string("routing", whenAbsent);
    }
    List<String> all = object.strings("routing");
    return all.isEmpty() ? whenAbsent : all.getLast();
  }

  private static DocumentReads.Wanted wanted(
      ApiRequest request,
      SourceFilter source,
      @Nullable String index,
      @Nullable String id,
      @Nullable String routing,
      long version,
      List<String> stored) {
    List<String> faults = new ArrayList<>();
    if (index == null) {
      faults.add("index is missing");
    }
    if (id == null) {
      faults.add("id is missing");
    }
    if (index == null || id == null) {
      throw WriteConditions.invalid(faults);
    }
    return new DocumentReads.Wanted(
        index,
        id,
        routing == null ? request.text("routing") : routing,
        request.flag("realtime", true),
        request.flag("refresh", false),
        version,
        source,
        true,
        stored);
  }
}
