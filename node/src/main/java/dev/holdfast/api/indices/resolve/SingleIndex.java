package dev.holdfast.api.indices.resolve;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Refusal;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The index, and the routing in it, that a name means where one document is read or written: the
/// name of an index, or of an alias that leads to one.
public final class SingleIndex {
  private SingleIndex() {}

  /// The one index that reads and writes of single documents mean.
  ///
  /// @param isWrite an alias of several indices needs a write index
  public static IndexMetadata of(ClusterState state, String name, boolean isWrite) {
    IndexMetadata index = found(state, name, isWrite);
    if (!index.isOpen()) {
      throw IndexExpression.closed(index);
    }
    return index;
  }

  /// The one index of that name, or that an alias leads to, closed or not.
  public static IndexMetadata openOrClosed(ClusterState state, String name) {
    return found(state, name, false);
  }

  private static IndexMetadata found(ClusterState state, String name, boolean isWrite) {
    Collection<IndexMetadata> targets = IndexExpression.targets(state, name);
    if (targets.isEmpty()) {
      throw Refusal.indexNotFound(name);
    }
    IndexMetadata index = targets.size() == 1 ? targets.iterator().next() : null;
    DataStream stream = isWrite ? DataStreams.written(state, name) : null;
    if (stream != null && !state.indices().containsKey(name)) {
      index = state.indices().get(stream.writeIndex());
    }
    boolean isOfStreams = stream == null && isWrite && isAliasOfStreams(state, name);
    if (isOfStreams || (isWrite && index != null && isNoWriteIndex(index, name))) {
      throw several(name, targets, true);
    }
    if (index == null) {
      index =
          targets.stream()
              .filter(i -> isWrite && isWriteIndex(i, name))
              .findFirst()
              .orElseThrow(() -> several(name, targets, isWrite));
    }
    return index;
  }

  /// The routing of a document that is named through an alias with a routing of its own.
  ///
  /// @param given by the request; null for none
  /// @throws Refusal when the two differ
  public static @Nullable String routing(IndexMetadata index, String name, @Nullable String given) {
    ObjectNode options = index.id().name().equals(name) ? null : index.aliases().get(name);
    String own = options == null ? "" : options.path("index_routing").asText("");
    if (own.isEmpty()) {
      return given == null || given.isEmpty() ? null : given;
    }
    if (own.indexOf(',') >= 0) {
      throw Refusal.badArgument(
          "index/alias ["
              + name
              + "] provided with routing value ["
              + own
              + "] that resolved to several routing values, rejecting operation");
    }
    if (given != null && !given.equals(own)) {
      throw Refusal.badArgument(
          "Alias ["
              + name
              + "] has index routing associated with it ["
              + own
              + "], and was provided with routing value ["
              + given
              + "], rejecting operation");
    }
    return own;
  }

  private static boolean isAliasOfStreams(ClusterState state, String name) {
    return !state.indices().containsKey(name) && !DataStreams.aliased(state, name).isEmpty();
  }

  private static boolean isNoWriteIndex(IndexMetadata index, String alias) {
    ObjectNode options = index.id().name().equals(alias) ? null : index.aliases().get(alias);
    return options != null && !options.path("is_write_index").asBoolean(true);
  }

  private static boolean isWriteIndex(IndexMetadata index, String alias) {
    ObjectNode options = index.aliases().get(alias);
    return options != null && options.path("is_write_index").asBoolean(false);
  }

  private static Refusal several(String alias, Collection<IndexMetadata> targets, boolean isWrite) {
    List<String> names = targets.stream().map(i -> i.id().name()).toList();
    return Refusal.badArgument(
        isWrite
            ? "no write index is defined for alias ["
                + alias
                + "]. The write index may be explicitly disabled using is_write_index=false or the"
                + " alias points to multiple indices without one being designated as a write index"
            : "alias ["
                + alias
                + "] has more than one index associated with it "
                + names
                + ", can't execute a single index op");
  }
}
