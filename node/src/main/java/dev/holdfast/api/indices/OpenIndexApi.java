package dev.holdfast.api.indices;

import dev.holdfast.api.indices.resolve.DestructiveExpressions;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// `POST /{index}/_open` and `POST /{index}/_close`.
public final class OpenIndexApi {
  private static final IndexExpression.Options CLOSED =
      new IndexExpression.Options(false, true, false, true, false, true);
  private static final IndexExpression.Options OPEN =
      new IndexExpression.Options(false, true, true, false, false, true);

  private final Metadata metadata;
  private final IndexingShards indexing;

  public OpenIndexApi(Metadata metadata, IndexingShards indexing) {
    this.metadata = metadata;
    this.indexing = indexing;
  }

  /// Opens closed indices and waits for their shards.
  public Api open() {
    return request -> {
      boolean isOpen = true;
      for (Changed index : change(request, CLOSED, true)) {
        isOpen &= CreateIndexApi.isWaitedFor(request, indexing, index.now());
      }
      boolean isAcknowledged = isOpen;
      return Answer.of(out -> {
        out.writeStartObject();
        out.writeBooleanField("acknowledged", true);
        out.writeBooleanField("shards_acknowledged", isAcknowledged);
        out.writeEndObject();
      });
    };
  }

  /// Closes indices: they take no writes and no searches until they are opened again.
  public Api close() {
    return request -> {
      List<IndexMetadata> indices =
          change(request, OPEN, false).stream().filter(Changed::isNew).map(Changed::now).toList();
      return Answer.of(out -> {
        out.writeStartObject();
        out.writeBooleanField("acknowledged", true);
        out.writeBooleanField("shards_acknowledged", !indices.isEmpty());
        out.writeObjectFieldStart("indices");
        for (IndexMetadata index : indices) {
          out.writeObjectFieldStart(index.id().name());
          out.writeBooleanField("closed", true);
          out.writeEndObject();
        }
        out.writeEndObject();
        out.writeEndObject();
      });
    };
  }

  private static void requireClosingAllowed(ClusterState state) {
    if ("false".equals(String.valueOf(state.setting("cluster.indices.close.enable")))) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "closing indices is disabled - set [cluster.indices.close.enable: true] to enable it."
              + " NOTE: closed indices still consume a significant amount of diskspace");
    }
  }

  /// A stream whose write index is closed takes no documents.
  private static void requireNoneWritten(ClusterState state, List<IndexMetadata> indices) {
    List<String> written = new ArrayList<>();
    for (IndexMetadata index : indices) {
      String name = index.id().name();
      DataStream stream = DataStreams.owning(state, name);
      if (stream != null
          && Arrays.stream(DataStream.Component.values())
              .anyMatch(component -> name.equals(stream.writeIndex(component)))) {
        written.add(name);
      }
    }
    if (!written.isEmpty()) {
      throw Refusal.badArgument(
          "cannot close the following data stream write indices ["
              + String.join(",", written)
              + "]");
    }
  }

  /// @param isNew whether it was not so before
  private record Changed(IndexMetadata now, boolean isNew) {}

  private List<Changed> change(ApiRequest request, IndexExpression.Options options, boolean open)
      throws InterruptedException {
    String names = request.required("index");
    DestructiveExpressions.requireNames(metadata.current(), names);
    if (!open) {
      requireClosingAllowed(metadata.current());
    }
    List<IndexMetadata> indices =
        IndexExpression.resolve(metadata.current(), names, options.of(request));
    indices.forEach(IndexBlocks::requireChangeable);
    ClusterState after =
        metadata.update(
            (open ? "open-index [" : "close-index [") + names + "]",
            state -> {
              if (!open) {
                requireNoneWritten(state, indices);
              }
              List<IndexMetadata> changed = new ArrayList<>();
              for (IndexMetadata index : indices) {
                IndexMetadata now = state.indices().get(index.id().name());
                if (now != null && now.id().equals(index.id()) && now.isOpen() != open) {
                  changed.add(now.withOpen(open));
                }
              }
              return state.withChanged(changed);
            });
    List<Changed> changed = new ArrayList<>();
    for (IndexMetadata before : indices) {
      IndexMetadata now = after.indices().get(before.id().name());
      if (now != null) {
        changed.add(new Changed(now, before.isOpen() != open));
      }
    }
    return changed;
  }
}
