package dev.holdfast.api.indices.lifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How long the cluster's streams keep documents: the bound of all, and what streams that do not
/// say have. Streams whose names begin with a dot are bound by nothing.
///
/// @param max null for none
/// @param byDefault null for none
/// @param ofFailures of failure stores that do not say; null for none
public record Retention(
    @Nullable Duration max, @Nullable Duration byDefault, @Nullable Duration ofFailures) {
  /// Names of the cluster settings.
  public static final String MAX = "data_streams.lifecycle.retention.max";

  public static final String DEFAULT = "data_streams.lifecycle.retention.default";
  public static final String FAILURES = "data_streams.lifecycle.retention.failures_default";

  /// What [#FAILURES] is when nobody set it.
  public static final String FAILURES_BY_DEFAULT = "30d";

  /// Who said how long.
  public enum Source {
    DATA_STREAM_CONFIGURATION,
    DEFAULT_GLOBAL_RETENTION,
    MAX_GLOBAL_RETENTION,
    DEFAULT_FAILURES_RETENTION;

    /// As answers say it.
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How long, and who says so.
  ///
  /// @param keeps null for ever
  public record Effective(@Nullable Duration keeps, Source source) {}

  public static Retention of(ClusterState state) {
    return new Retention(
        set(state, MAX, ""), set(state, DEFAULT, ""), set(state, FAILURES, FAILURES_BY_DEFAULT));
  }

  private static @Nullable Duration set(ClusterState state, String name, String whenAbsent) {
    Object set = state.setting(name);
    String text = set == null ? whenAbsent : set.toString();
    Duration read = text.isEmpty() ? null : TimeValue.parse(name, text);
    return read == null || read.isNegative() ? null : read;
  }

  /// Refuses a default that is above the bound.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public static void check(ClusterState state) {
    Retention all = of(state);
    for (String name : new String[] {DEFAULT, FAILURES}) {
      Duration set = name.equals(DEFAULT) ? all.byDefault : all.ofFailures;
      // What nobody set gives way to the bound.
      if (all.max != null
          && set != null
          && set.compareTo(all.max) > 0
          && state.setting(name) != null) {
        throw Refusal.badArgument(
            "["
                + name
                + "="
                + state.setting(name)
                + "] cannot be greater than ["
                + MAX
                + "="
                + state.setting(MAX)
                + "]");
      }
    }
  }

  /// How long a stream, or its failure store, keeps documents.
  ///
  /// @param lifecycle `{"enabled"?, "data_retention"?}`; null for a failure store without
  public Effective effective(String stream, Component component, @Nullable ObjectNode lifecycle) {
    String text = lifecycle == null ? "" : lifecycle.path("data_retention").asText("");
    Duration own =
        text.isEmpty() || text.equals("null") ? null : TimeValue.parse("data_retention", text);
    if (stream.startsWith(".")) {
      return new Effective(own, Source.DATA_STREAM_CONFIGURATION);
    }
    if (own != null) {
      return max != null && own.compareTo(max) > 0
          ? new Effective(max, Source.MAX_GLOBAL_RETENTION)
          : new Effective(own, Source.DATA_STREAM_CONFIGURATION);
    }
    boolean isData = component == Component.DATA;
    Duration fallback = isData ? byDefault : ofFailures;
    if (max != null && (fallback == null || fallback.compareTo(max) > 0)) {
      return new Effective(max, Source.MAX_GLOBAL_RETENTION);
    }
    return new Effective(
        fallback,
        fallback == null
            ? Source.DATA_STREAM_CONFIGURATION
            : isData ? Source.DEFAULT_GLOBAL_RETENTION : Source.DEFAULT_FAILURES_RETENTION);
  }

  /// What is to be said to who gives a stream this lifecycle; null for nothing.
  public @Nullable String warning(
      String stream, Component component, @Nullable ObjectNode lifecycle) {
    Effective effective = effective(stream, component, lifecycle);
    if (effective.keeps == null || !StreamLifecycles.isEnabled(lifecycle)) {
      return null;
    }
    String text = TimeValue.exact(effective.keeps);
    return switch (effective.source) {
      case DATA_STREAM_CONFIGURATION, DEFAULT_FAILURES_RETENTION -> null;
      case DEFAULT_GLOBAL_RETENTION ->
          "no retention is given: the cluster's default of [" + text + "] applies";
      case MAX_GLOBAL_RETENTION ->
          "the retention is longer than the cluster allows: its maximum of [" + text + "] applies";
    };
  }
}
