package dev.holdfast.api.indices.mapping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.settings.MappingWarnings;
import dev.holdfast.api.indices.template.IndexMode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.MappingShape;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;
import java.util.ArrayList;
import java.util.List;

/// `PUT /{index}/_mapping`: adds fields; conflicts change nothing.
public final class PutMappingApi implements Api {
  /// Of the update's tree, how many there are while it is merged, beside one for each index and
  /// those that its request asks for.
  private static final int MORE_COPIES = 2;

  private final Metadata metadata;
  private final MappingFactory mappings;

  public PutMappingApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.mappings = mappings;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ObjectNode update = request.body().kept();
    if (update.size() == 1 && update.path("_doc").isObject()) {
      throw Refusal.badArgument("Types cannot be provided in put mapping requests");
    }
    List<IndexMetadata> indices =
        request.flag("write_index_only", false)
            ? writeIndices(request)
            : IndexExpression.resolve(
                metadata.current(),
                request.required("index"),
                IndexExpression.Options.CHANGE.of(request));
    indices.forEach(IndexBlocks::requireChangeable);
    MappingShape.check(update);
    // Each has its own.
    RequestMemory.add((MORE_COPIES + (long) indices.size()) * JsonMemory.of(update));
    indices.forEach(index -> MappingShape.checkTemplates(update, index.settings()));
    metadata.update(
        "put-mapping " + request.required("index"), state -> merge(state, indices, update));
    return MappingWarnings.warn(Answer.acknowledged(), update);
  }

  /// Of each name the one index that writes to it go to.
  private List<IndexMetadata> writeIndices(ApiRequest request) {
    List<IndexMetadata> indices = new ArrayList<>();
    for (String name : request.list("index")) {
      if (name.contains("*") || name.equals("_all")) {
        throw Refusal.badArgument(
            "The index expression ["
                + name
                + "] and options provided did not point to a single write-index");
      }
      IndexMetadata index = SingleIndex.of(metadata.current(), name, true);
      if (!indices.contains(index)) {
        indices.add(index);
      }
    }
    return indices;
  }

  private ClusterState merge(ClusterState state, List<IndexMetadata> indices, ObjectNode update) {
    List<IndexMetadata> changed = new ArrayList<>();
    for (IndexMetadata index : indices) {
      IndexMetadata current = state.indices().get(index.id().name());
      if (current != null && current.id().equals(index.id())) {
        Mapping before = mappings.of(current);
        ObjectNode merged = before.merge(update).toJson();
        if (!merged.equals(current.mapping())) {
          IndexMetadata after = current.withMapping(merged);
          IndexMode.requireKnown(state, after);
          IndexMode.requireStillOfMode(current, after);
          changed.add(after);
        }
      }
    }
    return state.withChanged(changed);
  }
}
