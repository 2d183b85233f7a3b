package dev.holdfast.clusterstate.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The data streams of a cluster state, kept as its custom `data_streams`: an object by name.
public final class DataStreams {
  private static final String CUSTOM = "data_streams";

  /// Those of the state that was asked for last: whoever goes through thousands of indices asks for
  /// each whose it is.
  private static volatile Owners owners = new Owners(Json.object());

  private DataStreams() {}

  /// The streams by the names of the indices behind them.
  private static final class Owners {
    private final ObjectNode kept;
    private final Map<String, DataStream> byIndex = new HashMap<>();

    /// @param kept never changed
    Owners(ObjectNode kept) {
      this.kept = kept;
      for (DataStream stream : all(kept)) {
        for (DataStream.Component component : DataStream.Component.values()) {
          stream.indices(component).forEach(index -> byIndex.putIfAbsent(index, stream));
        }
      }
    }
  }

  /// All, by name.
  public static List<DataStream> all(ClusterState state) {
    return all(kept(state));
  }

  private static List<DataStream> all(ObjectNode kept) {
    List<DataStream> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : kept.properties()) {
      all.add(new DataStream(entry.getKey(), (ObjectNode) entry.getValue()));
    }
    all.sort((a, b) -> a.name().compareTo(b.name()));
    return all;
  }

  /// The stream of that name; null for none.
  public static @Nullable DataStream of(ClusterState state, String name) {
    return kept(state).get(name) instanceof ObjectNode json ? new DataStream(name, json) : null;
  }

  /// The stream that an index is behind; null for none.
  @SuppressWarnings("ReferenceEquality") // streams that did not change are the same object
  public static @Nullable DataStream owning(ClusterState state, String index) {
    if (!(state.customs().get(CUSTOM) instanceof ObjectNode kept)) {
      return null;
    }
    Owners known = owners;
    if (known.kept != kept) {
      known = new Owners(kept);
      owners = known;
    }
    return known.byIndex.get(index);
  }

  /// The streams behind an alias, by name.
  public static List<DataStream> aliased(ClusterState state, String alias) {
    return all(state).stream().filter(stream -> stream.aliases().has(alias)).toList();
  }

  /// The stream that a name is written to: the one of that name, or of an alias the one that it
  /// marks, or its only one, unless that says that it is not; null for none.
  public static @Nullable DataStream written(ClusterState state, String name) {
    DataStream named = of(state, name);
    if (named != null || !state.customs().containsKey(CUSTOM)) {
      return named;
    }
    List<DataStream> aliased = aliased(state, name);
    for (DataStream stream : aliased) {
      if (isMarked(stream, name, false)) {
        return stream;
      }
    }
    return aliased.size() == 1 && isMarked(aliased.getFirst(), name, true)
        ? aliased.getFirst()
        : null;
  }

  private static boolean isMarked(DataStream stream, String alias, boolean whenUnsaid) {
    return stream.aliases().path(alias).path("is_write_index").asBoolean(whenUnsaid);
  }

  /// A state with this stream, in place of one of its name.
  public static ClusterState with(ClusterState state, DataStream stream) {
    ObjectNode changed = kept(state).deepCopy();
    changed.set(stream.name(), stream.json());
    return state.withCustom(CUSTOM, changed);
  }

  /// A state without a stream; its indices stay.
  public static ClusterState without(ClusterState state, String name) {
    ObjectNode changed = kept(state).deepCopy();
    changed.remove(name);
    return changed.isEmpty() ? state.withoutCustom(CUSTOM) : state.withCustom(CUSTOM, changed);
  }

  /// A state that has none: names mean indices and their aliases only.
  public static ClusterState none(ClusterState state) {
    return state.withoutCustom(CUSTOM);
  }

  private static ObjectNode kept(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode object ? object : Json.object();
  }
}
