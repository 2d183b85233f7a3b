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
import dev.holdfast.world.StopSignal;
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
    boolean withDefaults = request.flag("include_defaults", false);
    List<IndexMetadata> indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.READ.of(request)));
    // One tree at a time: with all defaults those of thousands are hundreds of megabytes.
    return Answer.of(out -> {
      out.writeStartObject();
      for (IndexMetadata index : indices) {
        StopSignal.lookForCancelling();
        SortedMap<String, Object> settings =
            new TreeMap<>(IndexSettings.shown(index, request.human()));
        retain(settings, names);
        if (names.isEmpty() || !settings.isEmpty() || withDefaults) {
          out.writeFieldName(index.id().name());
          out.writeTree(shown(index, settings, withDefaults, names, isFlat));
        }
      }
      out.writeEndObject();
    });
  }

  private static ObjectNode shown(
      IndexMetadata index,
      SortedMap<String, Object> settings,
      boolean withDefaults,
      List<Predicate<String>> names,
      boolean isFlat) {
    ObjectNode one = Json.object();
    one.set("settings", IndexSettings.render(settings, isFlat));
    if (withDefaults) {
      SortedMap<String, Object> defaults = IndexSettingDefaults.of(index);
      retain(defaults, names);
      one.set("defaults", IndexSettings.render(defaults, isFlat));
    }
    return one;
  }

  /// @param names patterns of those to keep; empty for all
  private static void retain(SortedMap<String, Object> settings, List<Predicate<String>> names) {
    settings
        .keySet()
        .removeIf(name -> !names.isEmpty() && names.stream().noneMatch(p -> p.test(name)));
  }
}
