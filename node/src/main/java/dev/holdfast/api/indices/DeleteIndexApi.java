package dev.holdfast.api.indices;

import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.ClusterBlocks;
import dev.holdfast.api.indices.resolve.DestructiveExpressions;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `DELETE /{index}`. Names of aliases are refused: an alias is not what it points at.
public final class DeleteIndexApi implements Api {
  private final Metadata metadata;

  public DeleteIndexApi(Metadata metadata) {
    this.metadata = ClusterBlocks.guardedForDeletion(metadata);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String expression = request.required("index");
    ClusterState state = metadata.current();
    DestructiveExpressions.requireNames(state, expression);
    ClusterBlocks.requireDeletable(state);
    IndexExpression.Options options = IndexExpression.Options.METADATA.of(request);
    for (String part : expression.split(",")) {
      if (part.indexOf('*') < 0
          && !state.indices().containsKey(part)
          && DataStreams.of(state, part) == null
          && !IndexExpression.targets(state, part).isEmpty()
          && !options.ignoreUnavailable()) {
        throw Refusal.badArgument(
            "The provided expression ["
                + part
                + "] matches an alias, specify the corresponding concrete indices instead.");
      }
    }
    List<IndexMetadata> indices = IndexExpression.resolveNames(state, expression, options);
    indices.forEach(IndexBlocks::requireDeletable);
    indices.forEach(index -> BackingIndices.requireDeletable(state, index));
    metadata.update(
        "delete-index [" + expression + "]",
        now -> {
          ClusterState changed = now;
          for (IndexMetadata index : indices) {
            IndexMetadata current = changed.indices().get(index.id().name());
            if (current != null && current.id().equals(index.id())) {
              changed = BackingIndices.without(changed, current);
            }
          }
          return changed;
        });
    return Answer.acknowledged();
  }
}
