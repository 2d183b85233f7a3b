package dev.holdfast.node.api.index;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// `GET /_settings`, `GET /{index}/_settings`, `GET /{index}/_settings/{name}`.
public final class GetSettingsApi implements Api {
  private final Metadata metadata;

  public GetSettingsApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    boolean isFlat = request.flag("flat_settings", false);
    List<Pattern> names =
        request.list("name").stream()
            .filter(name -> !name.equals("_all"))
            .map(IndexExpression::pattern)
            .toList();
    ObjectNode answer = Json.object();
    for (IndexMetadata index :
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.METADATA.of(request))) {
      IndexBlocks.requireShowable(index);
      SortedMap<String, Object> settings = new TreeMap<>(index.settings());
      if (!names.isEmpty()) {
        settings
            .keySet()
            .removeIf(name -> names.stream().noneMatch(p -> p.matcher(name).matches()));
      }
      if (names.isEmpty() || !settings.isEmpty()) {
        ObjectNode one = answer.putObject(index.id().name());
        one.set("settings", IndexSettings.render(settings, isFlat));
        if (request.flag("include_defaults", false)) {
          one.set("defaults", IndexSettings.render(defaults(index), isFlat));
        }
      }
    }
    return Answer.of(200, answer);
  }

  private static SortedMap<String, Object> defaults(IndexMetadata index) {
    SortedMap<String, Object> defaults = new TreeMap<>();
    defaults.put("index.refresh_interval", "1s");
    defaults.put("index.max_result_window", "10000");
    defaults.put("index.mapping.total_fields.limit", "1000");
    defaults.put("index.mapping.depth.limit", "20");
    defaults.put("index.max_terms_count", "65536");
    defaults.put("index.codec", "default");
    defaults.keySet().removeAll(index.settings().keySet());
    return defaults;
  }
}
