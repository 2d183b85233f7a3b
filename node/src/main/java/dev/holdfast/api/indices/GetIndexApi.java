package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.settings.IndexSettingDefaults;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
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
    ClusterState state = metadata.current();
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            state, request.required("index"), IndexExpression.Options.READ.of(request));
    List<String> features =
        request.text("features", "_").isEmpty() ? List.of("") : request.list("features");
    for (String feature : features) {
      if (!FEATURES.contains(feature)) {
        throw Refusal.badArgument("Invalid features specified [" + feature + "]");
      }
    }
    indices.forEach(IndexBlocks::requireShowable);
    boolean isFlat = request.flag("flat_settings", false);
    boolean withDefaults = request.flag("include_defaults", false);
    // One tree at a time: with all defaults those of thousands are hundreds of megabytes.
    return Answer.of(out -> {
      out.writeStartObject();
      for (IndexMetadata index : indices) {
        StopSignal.lookForCancelling();
        out.writeFieldName(index.id().name());
        out.writeTree(shown(state, index, features, request.human(), isFlat, withDefaults));
      }
      out.writeEndObject();
    });
  }

  private static ObjectNode shown(
      ClusterState state,
      IndexMetadata index,
      List<String> features,
      boolean isHuman,
      boolean isFlat,
      boolean withDefaults) {
    ObjectNode one = Json.object();
    ObjectNode aliases = one.putObject("aliases");
    if (isWanted(features, "aliases")) {
      index.aliases().forEach(aliases::set);
    }
    one.set("mappings", isWanted(features, "mappings") ? index.mapping() : Json.object());
    one.putObject("settings");
    if (isWanted(features, "settings")) {
      one.set("settings", IndexSettings.render(IndexSettings.shown(index, isHuman), isFlat));
      if (withDefaults) {
        one.set("defaults", IndexSettings.render(IndexSettingDefaults.of(index), isFlat));
      }
    }
    DataStream stream = DataStreams.owning(state, index.id().name());
    if (stream != null) {
      one.put("data_stream", stream.name());
    }
    return one;
  }

  /// What is not wanted is there and empty.
  private static boolean isWanted(List<String> features, String feature) {
    return features.isEmpty() || features.contains(feature);
  }
}
