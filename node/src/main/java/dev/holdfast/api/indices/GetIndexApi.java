package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.settings.IndexSettingDefaults;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /{index}`, and with it `HEAD /{index}`: aliases, mappings and settings.
public final class GetIndexApi implements Api {
  private static final List<String> FEATURES = List.of("aliases", "mappings", "settings");

  private final Metadata metadata;

  public GetIndexApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.required("index"),
            IndexExpression.Options.READ.of(request));
    List<String> features =
        request.text("features", "_").isEmpty() ? List.of("") : request.list("features");
    for (String feature : features) {
      if (!FEATURES.contains(feature)) {
        throw Refusal.badArgument("Invalid features specified [" + feature + "]");
      }
    }
    boolean isFlat = request.flag("flat_settings", false);
    ObjectNode answer = Json.object();
    for (IndexMetadata index : indices) {
      IndexBlocks.requireShowable(index);
      ObjectNode one = answer.putObject(index.id().name());
      ObjectNode aliases = one.putObject("aliases");
      if (isWanted(features, "aliases")) {
        index.aliases().forEach(aliases::set);
      }
      one.set("mappings", isWanted(features, "mappings") ? index.mapping() : Json.object());
      one.putObject("settings");
      if (isWanted(features, "settings")) {
        one.set(
            "settings", IndexSettings.render(IndexSettings.shown(index, request.human()), isFlat));
        if (request.flag("include_defaults", false)) {
          one.set("defaults", IndexSettings.render(IndexSettingDefaults.of(index), isFlat));
        }
      }
      DataStream stream = DataStreams.owning(metadata.current(), index.id().name());
      if (stream != null) {
        one.put("data_stream", stream.name());
      }
    }
    return Answer.of(200, answer);
  }

  /// What is not wanted is there and empty.
  private static boolean isWanted(List<String> features, String feature) {
    return features.isEmpty() || features.contains(feature);
  }
}
