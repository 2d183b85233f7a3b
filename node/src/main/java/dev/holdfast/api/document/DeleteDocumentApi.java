package dev.holdfast.api.document;

import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import java.util.List;

/// `DELETE /{index}/_doc/{id}`.
public final class DeleteDocumentApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "refresh",
          "routing",
          "timeout",
          "wait_for_active_shards",
          "version",
          "version_type",
          "if_seq_no",
          "if_primary_term");

  private static final byte[] NOTHING = new byte[0];

  private final WriteRequests writes;

  public DeleteDocumentApi(WriteRequests writes) {
    this.writes = writes;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    WriteOperation.Condition condition = WriteConditions.read(request, Kind.DELETE);
    boolean isExternal = condition.versionType() != WriteOperation.VersionType.INTERNAL;
    IndexMetadata index =
        writes.index(
            request.given("index"),
            isExternal,
            false,
            Kind.DELETE,
            condition,
            request.text("routing"));
    String id = request.required("id");
    String routing = SingleIndex.routing(index, request.required("index"), request.text("routing"));
    WriteOperation operation =
        new WriteOperation(0, Kind.DELETE, id, false, routing, NOTHING, 0, 0, condition, 0);
    WriteResult.Done done = writes.writeOne(index, operation);
    writes.refresh(refresh, List.of(WriteRequests.shard(index, operation)));
    return Answer.of(
        WriteAnswer.status(done),
        out -> {
          out.writeStartObject();
          WriteAnswer.write(out, index, done, refresh == WriteRequests.Refresh.NOW);
          out.writeEndObject();
        });
  }
}
