package dev.holdfast.api.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestBody;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.write.UpdateShape;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// `POST /{index}/_update/{id}`: partial documents, upserts, no-ops.
public final class UpdateApi implements Api {
  public static final List<String> PARAMETERS = parameters();

  private final WriteRequests writes;

  public UpdateApi(WriteRequests writes) {
    this.writes = writes;
  }

  private static List<String> parameters() {
    List<String> all =
        new ArrayList<>(
            WriteRequests.parameters(
                "retry_on_conflict",
                "doc_as_upsert",
                "if_seq_no",
                "if_primary_term",
                "version",
                "version_type",
                "include_source_on_error"));
    all.addAll(SourceParameters.NAMES);
    all.remove("pipeline"); // nobody says it here: the index has its own
    return List.copyOf(all);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    try {
      return update(request);
    } catch (Refusal e) {
      throw e.type() == ErrorType.INDEX_CLOSED ? IndexBlocks.closed(request.required("index")) : e;
    }
  }

  private Answer update(ApiRequest request) throws Exception {
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    if (request.body().isEmpty()) {
      throw WriteConditions.invalid(List.of("script or doc is missing"));
    }
    if (request.has("version") || request.has("version_type")) {
      throw WriteConditions.invalid(
          List.of(
              "internal versioning can not be used for optimistic concurrency control. Please use"
                  + " `if_seq_no` and `if_primary_term` instead"));
    }
    WriteOperation.Condition condition = WriteConditions.read(request, Kind.UPDATE);
    int retries = request.integer("retry_on_conflict", 0);
    if (retries > 0 && condition.ifSeqNo() != WriteOperation.Condition.NONE.ifSeqNo()) {
      throw WriteConditions.invalid(List.of("compare and write operations can not be retried"));
    }
    RequestBody body = body(request);
    boolean _ =
        UpdateShape.check(
            new WriteOperation(
                0,
                Kind.UPDATE,
                request.required("id"),
                false,
                null,
                body.bytes(),
                body.offset(),
                body.length(),
                condition,
                retries));
    SourceFilter source = SourceParameters.readFromUpdate(request, body);
    IngestDraft draft =
        IngestDraft.of(
            request.required("index"),
            request.required("id"),
            request.text("routing"),
            condition,
            body.bytes(),
            body.offset(),
            body.length());
    draft = writes.inlined(draft);
    IngestPipelines.Route route = writes.ingest().route(draft.index(), null);
    IndexMetadata index =
        writes.index(
            request.given("index"),
            true,
            request.flag("require_alias", false),
            Kind.UPDATE,
            condition,
            request.text("routing"));
    WriteOperation operation =
        new WriteOperation(
            0,
            Kind.UPDATE,
            request.required("id"),
            false,
            SingleIndex.routing(index, request.required("index"), request.text("routing")),
            draft.bytes(),
            draft.offset(),
            draft.length(),
            condition,
            retries);
    WriteOperation sent = source.isShown() ? operation : operation.withoutSource();
    PipelinedUpdate.Written written =
        route.isEmpty()
            ? new PipelinedUpdate.Written(index, sent, writes.writeOne(index, sent))
            : new PipelinedUpdate(writes, route).run(index, sent);
    return answer(written, refresh, source);
  }

  private Answer answer(
      PipelinedUpdate.Written written, WriteRequests.Refresh refresh, SourceFilter source)
      throws IOException, InterruptedException {
    IndexMetadata index = written.index();
    WriteOperation operation = written.operation();
    WriteResult.Done done = written.done();
    writes.refresh(refresh, List.of(WriteRequests.shard(index, operation)));
    Answer answer =
        Answer.of(
            WriteAnswer.status(done),
            out -> {
              out.writeStartObject();
              WriteAnswer.write(out, index, done, refresh == WriteRequests.Refresh.NOW);
              WriteAnswer.writeGet(out, done, source);
              out.writeEndObject();
            });
    return done.effect() == WriteResult.Effect.CREATED
        ? answer.with("Location", IndexDocumentApi.location(index, operation))
        : answer;
  }

  /// The body, with what the URL says of upserts where the body does not.
  private static RequestBody body(ApiRequest request) {
    RequestBody body = request.body();
    if (!request.flag("doc_as_upsert", false)) {
      return body;
    }
    ObjectNode update = body.object();
    if (!update.has("doc_as_upsert")) {
      update.put("doc_as_upsert", true);
    }
    byte[] bytes = Json.bytes(update);
    return new RequestBody(bytes, 0, bytes.length);
  }
}
