package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.SettingWarnings;
import dev.holdfast.api.indices.template.TemplateMappings;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `PUT|POST /_create_from/{source}/{dest}`: an empty index with the settings and the mapping of
/// another, some of them changed.
public final class CreateFromApi implements Api {
  private static final List<String> OWN =
      List.of("index.uuid", "index.creation_date", "index.provided_name", "index.version.created");

  private final Metadata metadata;
  private final IndexCreation creation;
  private final IndexingShards indexing;

  public CreateFromApi(Metadata metadata, IndexCreation creation, IndexingShards indexing) {
    this.metadata = metadata;
    this.creation = creation;
    this.indexing = indexing;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    IndexMetadata source = SingleIndex.of(metadata.current(), request.required("source"), false);
    JsonObject body = JsonObject.of("create_index_from_source", request.body().kept());
    JsonObject settings = body.object("settings_override");
    JsonObject mapping = body.object("mappings_override");
    boolean removesBlocks = body.bool("remove_index_blocks", true);
    body.done();
    SortedMap<String, Object> given = new TreeMap<>();
    if (settings != null) {
      given.putAll(IndexSettings.read(settings.node()));
      IndexSettings.check(given);
      IndexSettings.requirePublic(given);
    }
    SortedMap<String, Object> merged = new TreeMap<>(source.settings());
    merged.keySet().removeAll(OWN);
    if (merged.keySet().stream().anyMatch(name -> name.startsWith(IndexSettings.MOUNTED))) {
      merged.remove("index.store.type");
    }
    merged
        .keySet()
        .removeIf(name ->
            IndexSettings.isOfServer(name)
                || name.startsWith("index.resize.")
                || (removesBlocks && name.startsWith("index.blocks.")));
    merged.putAll(given);
    merged.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    ObjectNode mapped =
        mapping == null
            ? source.mapping()
            : TemplateMappings.merge(source.mapping(), mapping.node());
    IndexMetadata made = creation.createAs(request.required("dest"), merged, mapped, Json.object());
    boolean isOpen = CreateIndexApi.awaitShards(indexing, made);
    Answer answer =
        Answer.of(
            200,
            Json.object()
                .put("acknowledged", true)
                .put("shards_acknowledged", isOpen)
                .put("index", made.id().name()));
    return SettingWarnings.warn(answer, given.keySet());
  }
}
