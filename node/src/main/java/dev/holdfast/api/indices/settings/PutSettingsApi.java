package dev.holdfast.api.indices.settings;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.field.Similarities;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// `PUT /{index}/_settings`: changes dynamic settings; null takes one back to its default.
public final class PutSettingsApi implements Api {
  private static final String ANALYSIS = "index.analysis.";

  private final Metadata metadata;
  private final MappingFactory mappings;

  public PutSettingsApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.mappings = mappings;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ObjectNode body = request.body().kept();
    SortedMap<String, Object> given =
        IndexSettings.read(
            body.size() == 1 && body.path("settings").isObject() ? body.path("settings") : body);
    boolean keepsExisting = request.flag("preserve_existing", false);
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.CHANGE.of(request));
    if (given.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: no settings to update;");
    }
    boolean unblocks =
        given.keySet().equals(Set.of("index.blocks.metadata"))
            || given.containsKey("index.blocks.read_only")
            || given.containsKey("index.blocks.read_only_allow_delete");
    boolean reopens = request.flag("reopen", false);
    for (IndexMetadata index : indices) {
      if (!unblocks) {
        IndexBlocks.requireChangeable(index);
      }
      SortedMap<String, Object> changes = IndexSettings.expanded(given, index.settings());
      changes.entrySet().removeIf(e -> e.getValue().equals(index.settings().get(e.getKey())));
      String name = index.id().toString().substring(1, index.id().toString().length() - 1);
      IndexSettings.checkUpdate(changes, name, index.isOpen() && !reopens);
    }
    metadata.update("update-settings", state -> change(state, indices, given, keepsExisting));
    if (reopens) {
      List<IndexMetadata> open = indices.stream().filter(IndexMetadata::isOpen).toList();
      metadata.update("close for new settings", state -> opened(state, open, false));
      metadata.update("open with new settings", state -> opened(state, open, true));
    }
    return SettingWarnings.warn(Answer.acknowledged(), given.keySet());
  }

  /// The end of the times that an index holds moves on only: others begin where it ended.
  private static void requireLaterEnd(
      SortedMap<String, Object> before, SortedMap<String, Object> after) {
    if (!TimeSeries.is(before)) {
      return;
    }
    long end = TimeSeries.of(before).endMillis();
    if (TimeSeries.of(after).endMillis() < end) {
      throw Refusal.badArgument(
          TimeSeries.END
              + " must be larger than current value ["
              + end
              + "] but was ["
              + after.get(TimeSeries.END)
              + "]");
    }
  }

  private static ClusterState opened(
      ClusterState state, List<IndexMetadata> indices, boolean isOpen) {
    List<IndexMetadata> changed = new ArrayList<>();
    for (IndexMetadata index : indices) {
      IndexMetadata now = state.indices().get(index.id().name());
      if (now != null && now.id().equals(index.id())) {
        changed.add(now.withOpen(isOpen));
      }
    }
    return state.withChanged(changed);
  }

  private ClusterState change(
      ClusterState state,
      List<IndexMetadata> indices,
      SortedMap<String, Object> given,
      boolean keepsExisting) {
    List<IndexMetadata> changed = new ArrayList<>();
    for (IndexMetadata index : indices) {
      IndexMetadata current = state.indices().get(index.id().name());
      if (current == null || !current.id().equals(index.id())) {
        continue;
      }
      SortedMap<String, Object> settings = new TreeMap<>(current.settings());
      IndexSettings.expanded(given, current.settings())
          .forEach((name, value) -> {
            if (value == IndexSettings.Reset.RESET) {
              settings.remove(name);
            } else if (!keepsExisting || !settings.containsKey(name)) {
              settings.put(name, value);
            }
          });
      settings.putIfAbsent(IndexSettings.REPLICAS, IndexSettings.REPLICAS_DEFAULT);
      if (!settings.equals(current.settings())) {
        Similarities.check(settings);
        new LifecycleSettings(settings).requireDate(index.id().name());
        requireLaterEnd(current.settings(), settings);
        IndexMetadata after = current.withSettings(settings);
        if (given.keySet().stream().anyMatch(name -> name.startsWith(ANALYSIS))) {
          Mapping _ = mappings.of(after); // it may name what is taken away
        }
        changed.add(after);
      }
    }
    return state.withChanged(changed);
  }
}
