package dev.holdfast.node.api.document;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.WriteOperation;
import dev.holdfast.indexing.WriteOperation.Kind;
import dev.holdfast.indexing.WriteResult;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.node.http.RequestBody;
import dev.holdfast.world.Refusal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

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
    boolean isAutoId = !request.has("id");
    String id = isAutoId ? writes.world().ids().documentId() : request.required("id");
    WriteRequests.requireValidId(id);
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    WriteOperation.Condition condition = Conditions.read(request, kind);
    PipelineParameter.requireNone(request.text("pipeline"));
    IndexMetadata index =
        writes.index(request.required("index"), true, request.flag("require_alias", false));
    RequestBody body = request.body();
    WriteOperation operation =
        new WriteOperation(
            0,
            kind,
            id,
            isAutoId,
            request.text("routing"),
            body.bytes(),
            body.offset(),
            body.length(),
            condition,
            0);
    WriteResult.Done done = writes.writeOne(index, operation);
    writes.refresh(refresh, List.of(WriteRequests.shard(index, operation)));
    Answer answer =
        Answer.of(
            WriteAnswer.status(done),
            out -> {
              out.writeStartObject();
              WriteAnswer.write(out, index, done, refresh == WriteRequests.Refresh.NOW);
              out.writeEndObject();
            });
    return done.effect() == WriteResult.Effect.CREATED
        ? answer.with("Location", location(index, operation))
        : answer;
  }

  private Kind kind(ApiRequest request) {
    String type = request.text("op_type", isCreate ? "create" : "index").toLowerCase(Locale.ROOT);
    return switch (type) {
      case "index" -> isCreate ? Kind.CREATE : Kind.INDEX;
      case "create" -> Kind.CREATE;
      default ->
          throw Refusal.badArgument(
              "opType must be 'create' or 'index', found: [" + request.text("op_type") + "]");
    };
  }

  private static String location(IndexMetadata index, WriteOperation operation) {
    String path = "/" + encode(index.id().name()) + "/_doc/" + encode(operation.id());
    return operation.routing() == null ? path : path + "?routing=" + encode(operation.routing());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
