package dev.holdfast.api.cluster;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.lifecycle.Retention;
import dev.holdfast.api.scaling.ScalingLimits;
import dev.holdfast.api.stats.FlatSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.cost.StorageClassPolicy;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.settings.LogLevels;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `GET` and `PUT /_cluster/settings`: settings of the whole cluster, kept in its state. Transient
/// ones last until the whole cluster has restarted.
public final class ClusterSettingsApi {
  /// Patterns of settings that one request removes: each is compared with all that are set.
  private static final int PATTERNS_MAX = 100;

  private final NodeSettings node;
  private final NodeIdentity self;
  private final Metadata metadata;
  private final StorePrices prices;

  /// What is set for all projects together, or by who sets their limits.
  private static final Pattern OF_CLUSTER =
      Pattern.compile("^(logger\\.|indices\\.breaker\\.|autoscaling\\.|store\\.budget$)");

  public ClusterSettingsApi(NodeSettings node, NodeIdentity self, Metadata metadata) {
    this.node = node;
    this.self = self;
    this.metadata = metadata;
    this.prices = StorePrices.of(node.store(), node.storeOptions());
  }

  public Answer show(ApiRequest request) {
    ClusterState state = metadata.current();
    boolean isFlat = request.flag("flat_settings", false);
    boolean withDefaults = request.flag("include_defaults", false);
    return Answer.of(out -> {
      out.writeStartObject();
      write(out, "persistent", state.settings(), isFlat);
      write(out, "transient", transientOf(state), isFlat);
      if (withDefaults) {
        write(out, "defaults", defaults(state), isFlat);
      }
      out.writeEndObject();
    });
  }

  public Answer change(ApiRequest request) throws InterruptedException {
    JsonObject body = JsonObject.of("cluster_update_settings_request", request.body().kept());
    SortedMap<String, @Nullable Object> persistent = changes(body, "persistent");
    SortedMap<String, @Nullable Object> transients = changes(body, "transient");
    body.done();
    if (persistent.isEmpty() && transients.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: no settings to update;");
    }
    SortedMap<String, @Nullable Object> all = new TreeMap<>(persistent);
    all.putAll(transients);
    metadata.update(
        "cluster settings",
        state -> {
          ClusterState changed =
              TransientSettings.with(
                  state.withSettings(applied(state.settings(), persistent)),
                  Json.MAPPER.valueToTree(applied(transientOf(state), transients)),
                  self);
          LogLevels.requireFew(state, changed);
          Retention.check(changed);
          requireKeepAlives(changed);
          if (all.keySet().stream().anyMatch(name -> name.startsWith(ScalingLimits.FAMILY))) {
            ScalingLimits.check(changed);
          }
          if (all.containsKey(StoreBudget.SETTING)) {
            StoreBudget.check(changed, prices);
          }
          if (all.containsKey(StorageClassPolicy.SETTING)
              || all.containsKey(StorageClassPolicy.AFTER)) {
            StorageClassPolicy.check(changed, prices);
          }
          return changed;
        });
    boolean isFlat = request.flag("flat_settings", false);
    Answer answer =
        Answer.of(out -> {
          out.writeStartObject();
          out.writeBooleanField("acknowledged", true);
          write(out, "persistent", applied(new TreeMap<>(), persistent), isFlat);
          write(out, "transient", applied(new TreeMap<>(), transients), isFlat);
          out.writeEndObject();
        });
    return warned(answer, all);
  }

  /// A search is kept no longer by default than it may be at most.
  private static void requireKeepAlives(ClusterState state) {
    String usual = said(state, "search.default_keep_alive", "5m");
    String most = said(state, "search.max_keep_alive", "24h");
    Duration longest = TimeValue.parse("search.max_keep_alive", most);
    if (TimeValue.parse("search.default_keep_alive", usual).compareTo(longest) > 0) {
      throw Refusal.badArgument(
          "Default keep alive setting for request [search.default_keep_alive] should be smaller"
              + " than max keep alive [search.max_keep_alive], was ("
              + usual
              + " > "
              + most
              + ")");
    }
  }

  private static String said(ClusterState state, String name, String byDefault) {
    Object said = state.setting(name);
    return said == null ? byDefault : said.toString();
  }

  /// Says which settings that were given have no effect here.
  private static Answer warned(Answer answer, SortedMap<String, @Nullable Object> changes) {
    SortedMap<String, List<String>> idle = new TreeMap<>();
    changes.forEach((name, value) -> {
      String why = ClusterSettingNames.idle(name);
      if (value != null && !why.isEmpty()) {
        idle.computeIfAbsent(why, _ -> new ArrayList<>()).add(name);
      }
    });
    Answer warned = answer;
    for (Map.Entry<String, List<String>> one : idle.entrySet()) {
      warned = warned.warn("settings " + one.getValue() + " have no effect here: " + one.getKey());
    }
    return warned;
  }

  private boolean isOfCluster(String name) {
    return node.projects().isWithin() && OF_CLUSTER.matcher(name).find();
  }

  private SortedMap<String, @Nullable Object> changes(JsonObject body, String kind) {
    JsonNode given = body.take(kind);
    if (given == null || given.isNull()) {
      return new TreeMap<>();
    }
    SortedMap<String, @Nullable Object> changes =
        FlatSettings.flatten(JsonObject.of(kind, given).node());
    if (changes.keySet().stream().filter(Wildcards::isPattern).count() > PATTERNS_MAX) {
      throw Refusal.badArgument(
          "more than [" + PATTERNS_MAX + "] patterns of " + kind + " settings in one request");
    }
    for (String name : changes.keySet()) {
      if (isOfCluster(name)) {
        throw Refusal.badArgument(
            "["
                + name
                + "] is a setting of the whole cluster: it can't be set for project ["
                + node.projects().within()
                + "]");
      }
      boolean isRemoval = changes.get(name) == null && name.contains("*");
      if (!isRemoval && !ClusterSettingNames.isKnown(name)) {
        throw Refusal.badArgument(
            Suggestions.didYouMean(
                kind + " setting [" + name + "], not recognized",
                name,
                ClusterSettingNames.names()));
      }
      ClusterSettingNames.check(name, changes.get(name));
    }
    return changes;
  }

  private SortedMap<String, Object> applied(
      SortedMap<String, Object> before, SortedMap<String, @Nullable Object> changes) {
    SortedMap<String, Object> after = new TreeMap<>(before);
    changes.forEach((name, value) -> {
      if (value != null) {
        after.put(name, value);
      } else if (Wildcards.isPattern(name)) {
        after.keySet().removeIf(key -> Wildcards.matches(name, key) && !isOfCluster(key));
      } else {
        after.remove(name);
      }
    });
    return after;
  }

  private static SortedMap<String, Object> transientOf(ClusterState state) {
    JsonNode kept = state.customs().get(TransientSettings.KEPT);
    SortedMap<String, Object> settings = new TreeMap<>();
    if (kept != null) {
      FlatSettings.flatten(kept)
          .forEach((name, value) -> {
            if (value != null) {
              settings.put(name, value);
            }
          });
    }
    return settings;
  }

  private SortedMap<String, Object> defaults(ClusterState state) {
    SortedMap<String, Object> defaults = new TreeMap<>();
    ClusterSettingNames.KNOWN.forEach(known -> {
      String name = known.name();
      if (!state.settings().containsKey(name) && !transientOf(state).containsKey(name)) {
        defaults.put(name, known.byDefault());
      }
    });
    defaults.put("cluster.name", node.clusterName());
    defaults.put("node.name", self.name());
    defaults.put("http.max_content_length", node.httpContentLengthMax().toString());
    return defaults;
  }

  private static void write(
      JsonGenerator out, String kind, SortedMap<String, Object> settings, boolean isFlat)
      throws IOException {
    out.writeFieldName(kind);
    FlatSettings.write(out, settings, isFlat);
  }
}
