package dev.holdfast.api.document;

import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.ingest.IngestTrail;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestBody;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// `PUT|POST /{index}/_doc/{id}`, `POST /{index}/_doc`, `PUT|POST /{index}/_create/{id}`.
public final class IndexDocumentApi implements Api {
  public static final List<String> PARAMETERS =
      WriteRequests.parameters(
          "op_type",
          "version",
          "version_type",
          "if_seq_no",
          "if_primary_term",
          "require_data_stream",
          "include_source_on_error");

  private final WriteRequests writes;
  private final boolean isCreate;

  /// @param isCreate whether the path itself says that the document must be new
  public IndexDocumentApi(WriteRequests writes, boolean isCreate) {
    this.writes = writes;
    this.isCreate = isCreate;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    Kind kind = kind(request);
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    IngestDraft sent = draft(request, kind);
    IngestDraft draft;
    IngestTrail trail = new IngestTrail();
    try {
      draft = ingested(request, sent, trail);
    } catch (Refusal e) {
      return failed(FailedDocument.ofPipeline(0, sent, e, trail.place()), refresh);
    }
    boolean isForced = refresh == WriteRequests.Refresh.NOW;
    if (draft.isDropped()) {
      WriteResult.Done dropped = WriteAnswer.dropped(draft.id());
      return Answer.of(
          200,
          out -> {
            out.writeStartObject();
            WriteAnswer.write(out, draft.index(), null, dropped, isForced);
            out.writeEndObject();
          });
    }
    boolean isAutoId = draft.id() == null;
    if (draft.id() != null) {
      WriteRequests.requireValidId(draft.id());
    }
    writes.requireDataStream(draft.index(), request.flag("require_data_stream", false));
    boolean isAsGiven = draft.index().equals(request.required("index"));
    IndexMetadata named =
        writes.index(
            isAsGiven ? request.given("index") : draft.index(),
            true,
            request.flag("require_alias", false),
            isAutoId ? Kind.CREATE : kind,
            draft.condition(),
            draft.routing());
    NamedDocument at;
    try {
      at = writes.named(draft.index(), named, kind, draft, Map.of());
    } catch (Refusal e) {
      FailedDocument lost = FailedDocument.ofSeries(0, named, kind, draft, e);
      if (lost == null) {
        throw e;
      }
      return failed(lost, refresh);
    }
    IndexMetadata index = at.index();
    WriteOperation operation =
        new WriteOperation(
            0,
            isAutoId && !at.isAutoId() ? Kind.CREATE : kind, // the id may be there already
            at.id(),
            at.isAutoId(),
            SingleIndex.routing(index, draft.index(), draft.routing()),
            draft.bytes(),
            draft.offset(),
            draft.length(),
            draft.condition(),
            0);
    WriteResult.Done done;
    try {
      done = writes.writeOne(index, operation);
    } catch (Refusal e) {
      if (kind != Kind.CREATE && !isAutoId) {
        throw e;
      }
      return failed(FailedDocument.ofShard(0, draft.index(), operation, e), refresh);
    }
    writes.refresh(refresh, List.of(WriteRequests.shard(index, operation)));
    Answer answer =
        Answer.of(
            WriteAnswer.status(done),
            out -> {
              out.writeStartObject();
              WriteAnswer.write(out, index, done, isForced);
              out.writeEndObject();
            });
    return done.effect() == WriteResult.Effect.CREATED
        ? answer.with("Location", location(index, operation))
        : answer;
  }

  /// The answer for a document that failed: that it is in a failure store, or the error.
  private Answer failed(FailedDocument document, WriteRequests.Refresh refresh)
      throws IOException, InterruptedException {
    List<ShardId> written = new ArrayList<>();
    FailureStored stored =
        Objects.requireNonNull(writes.failures().store(List.of(document), written).get(0));
    writes.refresh(refresh, written);
    boolean isForced = refresh == WriteRequests.Refresh.NOW;
    return switch (stored.result()) {
      case WriteResult.Done done ->
          Answer.of(
              WriteAnswer.status(done),
              out -> {
                out.writeStartObject();
                WriteAnswer.write(out, document.name(), stored.index(), done, isForced);
                stored.status().write(out);
                out.writeEndObject();
              });
      case WriteResult.Refused refused ->
          throw stored.status() == FailureStored.Status.NOT_APPLICABLE
              ? refused.refusal()
              : refused.refusal().with("failure_store", stored.status().label());
    };
  }

  private static IngestDraft draft(ApiRequest request, Kind kind) {
    RequestBody body = request.body();
    return IngestDraft.of(
        request.required("index"),
        request.text("id"),
        request.text("routing"),
        // What gets its id here is new: no version of it can be asked for.
        WriteConditions.read(request, request.has("id") ? kind : Kind.CREATE),
        body.bytes(),
        body.offset(),
        body.length());
  }

  /// The document after its pipelines.
  private IngestDraft ingested(ApiRequest request, IngestDraft draft, IngestTrail trail) {
    IngestPipelines.Route route =
        writes.ingest().route(draft.index(), WriteConditions.pipeline(request));
    if (route.isEmpty()) {
      return draft;
    }
    StopSignal signal = writes.ingest().signal(request.isCancelled());
    return writes.ingest().run(route, draft, trail, signal);
  }

  private Kind kind(ApiRequest request) {
    String type = request.text("op_type", isCreate ? "create" : "index").toLowerCase(Locale.ROOT);
    if (type.equals("create")) {
      return Kind.CREATE;
    }
    if (type.equals("index") && !isCreate) {
      return Kind.INDEX;
    }
    throw Refusal.badArgument(
        "opType must be 'create'"
            + (isCreate ? "" : " or 'index'")
            + ", found: ["
            + request.text("op_type")
            + "]");
  }

  static String location(IndexMetadata index, WriteOperation operation) {
    String path = "/" + encode(index.id().name()) + "/_doc/" + encode(operation.id());
    return operation.routing() == null ? path : path + "?routing=" + encode(operation.routing());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
