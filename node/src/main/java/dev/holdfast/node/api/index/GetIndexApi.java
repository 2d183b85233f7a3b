package dev.holdfast.node.api.index;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.Json;
import java.util.List;

/// `GET /{index}`, and with it `HEAD /{index}`: aliases, mappings and settings.
public final class GetIndexApi implements Api {
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
            IndexExpression.Options.METADATA.of(request));
    List<String> features = request.list("features");
    boolean isFlat = request.flag("flat_settings", false);
    ObjectNode answer = Json.object();
    for (IndexMetadata index : indices) {
      IndexBlocks.requireShowable(index);
      ObjectNode one = answer.putObject(index.id().name());
      if (features.isEmpty() || features.contains("aliases")) {
        ObjectNode aliases = one.putObject("aliases");
        index.aliases().forEach(aliases::set);
      }
      if (features.isEmpty() || features.contains("mappings")) {
        one.set("mappings", index.mapping());
      }
      if (features.isEmpty() || features.contains("settings")) {
        one.set(
            "settings", IndexSettings.render(IndexSettings.shown(index, request.human()), isFlat));
      }
    }
    return Answer.of(200, answer);
  }
}
