package dev.holdfast.api.indices.settings;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// `GET /_settings`, `GET /{index}/_settings`, `GET /{index}/_settings/{name}`.
public final class GetSettingsApi implements Api {
  private final Metadata metadata;

  public GetSettingsApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    boolean isFlat = request.flag("flat_settings", false);
    List<Predicate<String>> names =
        request.list("name").stream()
            .filter(name -> !name.equals("_all"))
            .map(IndexExpression::pattern)
            .toList();
    ObjectNode answer = Json.object();
    for (IndexMetadata index :
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.READ.of(request))) {
      IndexBlocks.requireShowable(index);
      SortedMap<String, Object> settings =
          new TreeMap<>(IndexSettings.shown(index, request.human()));
      retain(settings, names);
      boolean withDefaults = request.flag("include_defaults", false);
      if (names.isEmpty() || !settings.isEmpty() || withDefaults) {
        ObjectNode one = answer.putObject(index.id().name());
        one.set("settings", IndexSettings.render(settings, isFlat));
        if (withDefaults) {
          SortedMap<String, Object> defaults = IndexSettingDefaults.of(index);
          retain(defaults, names);
          one.set("defaults", IndexSettings.render(defaults, isFlat));
        }
      }
    }
    return Answer.of(200, answer);
  }

  /// @param names patterns of those to keep; empty for all
  private static void retain(SortedMap<String, Object> settings, List<Predicate<String>> names) {
    settings
        .keySet()
        .removeIf(name -> !names.isEmpty() && names.stream().noneMatch(p -> p.test(name)));
  }
}
