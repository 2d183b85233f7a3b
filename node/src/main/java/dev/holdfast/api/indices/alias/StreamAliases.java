package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.function.Predicate;

/// Aliases of data streams: kept with the stream, so that its next index has them too.
final class StreamAliases {
  /// Streams named or matched, none of which need be there.
  private static final IndexExpression.Options TARGETS =
      new IndexExpression.Options(true, true, true, true, true, true);

  private StreamAliases() {}

  /// The streams that an expression names or matches.
  static List<DataStream> meant(ClusterState state, String expression) {
    return StreamExpression.streams(state, expression, TARGETS).stream()
        .filter(stream -> !DataStreams.aliased(state, expression).contains(stream))
        .toList();
  }

  /// Gives an alias to streams.
  ///
  /// @throws Refusal `illegal_argument_exception` when the expression means indices too, or the
  ///   options are not for streams
  static ClusterState add(
      ClusterState state,
      List<DataStream> streams,
      String expression,
      String alias,
      ObjectNode options) {
    for (IndexMetadata index : IndexExpression.resolve(state, expression, TARGETS)) {
      if (DataStreams.owning(state, index.id().name()) == null) {
        throw Refusal.badArgument(
            "expressions ["
                + expression
                + "] that match with both data streams and regular indices are disallowed");
      }
    }
    if (options.has("index_routing") || options.has("search_routing")) {
      throw Refusal.badArgument("aliases that point to data streams don't support routing");
    }
    if (options.has("is_hidden")) {
      throw Refusal.badArgument("aliases that point to data streams don't support is_hidden");
    }
    Aliases.requireNoneOfIndices(state, alias);
    ClusterState changed = state;
    for (DataStream stream : streams) {
      ObjectNode aliases = stream.aliases().deepCopy();
      aliases.set(alias, options.deepCopy());
      changed = DataStreams.with(changed, stream.with("aliases", aliases));
    }
    return withOneWriter(changed, streams, alias, options);
  }

  /// The stream that was marked last is written to.
  private static ClusterState withOneWriter(
      ClusterState state, List<DataStream> marked, String alias, ObjectNode options) {
    if (!options.path("is_write_index").asBoolean(false)) {
      return state;
    }
    ClusterState changed = state;
    for (DataStream stream : DataStreams.aliased(state, alias)) {
      if (marked.stream().noneMatch(one -> one.name().equals(stream.name()))) {
        ObjectNode aliases = stream.aliases().deepCopy();
        ((ObjectNode) aliases.path(alias)).remove("is_write_index");
        changed = DataStreams.with(changed, stream.with("aliases", aliases));
      }
    }
    return changed;
  }

  /// Whether one of the streams has an alias that is meant.
  static boolean have(List<DataStream> streams, Predicate<String> isMeant) {
    return streams.stream()
        .anyMatch(stream ->
            stream.aliases().propertyStream().anyMatch(alias -> isMeant.test(alias.getKey())));
  }

  /// Takes aliases from streams.
  static ClusterState remove(
      ClusterState state, List<DataStream> streams, Predicate<String> isMeant) {
    ClusterState changed = state;
    for (DataStream stream : streams) {
      ObjectNode left = stream.aliases().deepCopy();
      left.remove(stream.aliases().propertyStream().map(e -> e.getKey()).filter(isMeant).toList());
      if (left.size() < stream.aliases().size()) {
        changed = DataStreams.with(changed, stream.with("aliases", left.isEmpty() ? null : left));
      }
    }
    return changed;
  }

  /// @throws Refusal `illegal_argument_exception` for an index that is behind a stream
  static void requireNoBackingIndex(ClusterState state, String expression, IndexMetadata index) {
    DataStream stream = DataStreams.owning(state, index.id().name());
    if (stream != null) {
      throw Refusal.badArgument(
          "The provided expressions ["
              + expression
              + "] match a backing index belonging to data stream ["
              + stream.name()
              + "]. Data stream backing indices don't support aliases.");
    }
  }
}
