package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `POST /_data_stream/_migrate/{name}`: an alias becomes a data stream of its indices.
public final class MigrateStreamApi implements Api {
  private final Metadata metadata;
  private final TakenIndices taken;

  public MigrateStreamApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.taken = new TakenIndices(mappings);
  }

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    String alias = request.required("name");
    metadata.update("migrate-to-data-stream [" + alias + "]", state -> migrated(state, alias));
    return Answer.acknowledged();
  }

  private ClusterState migrated(ClusterState state, String alias) {
    StreamCreation.requireName(alias);
    List<IndexMetadata> indices = new ArrayList<>(IndexExpression.targets(state, alias));
    boolean isAlias =
        !indices.isEmpty()
            && !state.indices().containsKey(alias)
            && DataStreams.written(state, alias) == null;
    if (!isAlias) {
      throw Refusal.badArgument("alias [" + alias + "] does not exist");
    }
    IndexMetadata writer =
        indices.size() == 1
            ? indices.getFirst()
            : indices.stream()
                .filter(i -> options(i, alias).path("is_write_index").asBoolean(false))
                .findFirst()
                .orElseThrow(
                    () -> Refusal.badArgument("alias [" + alias + "] must specify a write index"));
    for (IndexMetadata index : indices) {
      ObjectNode options = options(index, alias);
      if (options.has("filter") || options.has("index_routing") || options.has("search_routing")) {
        throw Refusal.badArgument("alias [" + alias + "] may not have custom filtering or routing");
      }
    }
    StreamTemplate template = StreamTemplate.require(state, alias);
    indices.remove(writer);
    indices.add(writer); // the last is written to
    ClusterState changed = state;
    for (IndexMetadata index : indices) {
      SortedMap<String, ObjectNode> left = new TreeMap<>(index.aliases());
      left.remove(alias);
      changed = changed.withIndex(taken.taken(index.withAliases(left)));
    }
    DataStream stream =
        DataStream.empty(alias, template.isHidden(), template.allowsCustomRouting())
            .withIndices(Component.DATA, indices.stream().map(i -> i.id().name()).toList())
            .with("generation", Json.MAPPER.getNodeFactory().numberNode(indices.size()))
            .with("lifecycle", template.lifecycle())
            .with("options", template.options());
    return DataStreams.with(changed, stream);
  }

  private static ObjectNode options(IndexMetadata index, String alias) {
    return index.aliases().getOrDefault(alias, Json.object());
  }
}
