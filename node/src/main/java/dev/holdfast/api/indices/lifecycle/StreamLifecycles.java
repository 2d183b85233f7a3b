package dev.holdfast.api.indices.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.FailureStore;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lifecycle of a data stream, or of its failure store: `{"enabled"?, "data_retention"?,
/// "downsampling"?, "downsampling_method"?}`.
public final class StreamLifecycles {
  /// An index is full with so many documents, or so many bytes, in a shard.
  public static final long SHARD_DOCUMENTS_MAX = 200_000_000;

  public static final long SHARD_BYTES_MAX = 50L << 30;

  private StreamLifecycles() {}

  /// Checks a lifecycle and returns it as it is kept.
  ///
  /// @throws Refusal `illegal_argument_exception`, `parsing_exception`
  public static ObjectNode read(JsonNode given) {
    JsonObject body = JsonObject.of("data_stream_lifecycle", given);
    if (body.node().path("enabled").isNull()) {
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "[data_stream_lifecycle] enabled doesn't support values of type: VALUE_NULL")
          .at(MemberLocation.ofValue(body.node(), "enabled"));
    }
    ObjectNode kept = Json.object().put("enabled", body.bool("enabled", true));
    String retention = body.string("data_retention");
    if (retention != null) {
      if (!TimeValue.parse("data_retention", retention).isPositive()) {
        throw Refusal.badArgument("[data_retention] must be positive");
      }
      kept.put("data_retention", retention);
    }
    DownsamplingRounds.read(body, kept);
    body.done();
    return kept;
  }

  /// The same of a template, where null takes away what the templates under it say.
  public static JsonNode readOfTemplate(JsonNode given) {
    if (given.isNull()) {
      return given;
    }
    ObjectNode kept = read(given);
    for (String name :
        List.of("data_retention", DownsamplingRounds.ROUNDS, DownsamplingRounds.METHOD)) {
      if (given.path(name).isNull()) {
        kept.putNull(name);
      }
    }
    return kept;
  }

  public static boolean isEnabled(@Nullable ObjectNode lifecycle) {
    return lifecycle == null || lifecycle.path("enabled").asBoolean(true);
  }

  /// Whether the documents of a stream, or of its failure store, are looked after. A failure store
  /// is without being asked, as long as it has documents.
  public static boolean isManaged(ClusterState state, DataStream stream, Component component) {
    return switch (component) {
      case DATA -> stream.lifecycle() != null && isEnabled(stream.lifecycle());
      case FAILURES ->
          isEnabled(ofFailures(stream))
              && (FailureStore.isEnabled(state, stream)
                  || !stream.indices(Component.FAILURES).isEmpty());
    };
  }

  /// What a stream says of a component's lifecycle; null for nothing.
  public static @Nullable ObjectNode of(DataStream stream, Component component) {
    return component == Component.DATA ? stream.lifecycle() : ofFailures(stream);
  }

  private static @Nullable ObjectNode ofFailures(DataStream stream) {
    ObjectNode options = stream.options();
    return options != null
            && options.path("failure_store").get("lifecycle") instanceof ObjectNode given
        ? given
        : null;
  }

  /// How long a component keeps documents.
  public static Retention.Effective effective(
      ClusterState state, DataStream stream, Component component) {
    return Retention.of(state).effective(stream.name(), component, of(stream, component));
  }

  /// As it is shown.
  ///
  /// @param hasDefaults with the conditions of its rollovers
  public static ObjectNode shown(
      ClusterState state, DataStream stream, Component component, boolean hasDefaults) {
    ObjectNode lifecycle = of(stream, component);
    boolean isEnabled = isEnabled(lifecycle);
    ObjectNode shown = Json.object().put("enabled", isEnabled);
    if (lifecycle != null && lifecycle.hasNonNull("data_retention")) {
      shown.put("data_retention", lifecycle.path("data_retention").asText());
    }
    if (lifecycle != null) {
      DownsamplingRounds.show(lifecycle, shown);
    }
    Retention.Effective effective = effective(state, stream, component);
    Duration keeps = effective.keeps();
    if (keeps != null && isEnabled) {
      shown.put("effective_retention", TimeValue.exact(keeps));
      shown.put("retention_determined_by", effective.source().label());
    }
    if (hasDefaults) {
      ObjectNode rollover = shown.putObject("rollover");
      rollover.put("max_age", TimeValue.exact(ageMax(keeps)) + " [automatic]");
      rollover.put("min_docs", 1).put("max_primary_shard_docs", SHARD_DOCUMENTS_MAX);
      rollover.put("max_primary_shard_size", "50gb");
    }
    return shown;
  }

  /// When an index is followed by the next, so that deleting whole indices keeps little too long:
  /// Elasticsearch's `max_age: auto`.
  ///
  /// @param retention null for ever
  public static Duration ageMax(@Nullable Duration retention) {
    if (retention == null || retention.compareTo(Duration.ofDays(90)) > 0) {
      return Duration.ofDays(30);
    }
    if (retention.compareTo(Duration.ofDays(14)) > 0) {
      return Duration.ofDays(7);
    }
    return retention.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : Duration.ofHours(1);
  }
}
