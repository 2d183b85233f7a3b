package dev.holdfast.api.indices.resolve;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What names and patterns mean of data streams: a stream stands for its backing indices, with
/// `::failures` behind its name for those of its failure store.
public final class StreamExpression {
  private static final String SEPARATOR = "::";

  private StreamExpression() {}

  /// A name or pattern, and which indices of the streams it means.
  public record Selected(String name, Component component) {}

  /// Whether an expression says which indices of a stream it means.
  static boolean hasSelector(String part) {
    return part.contains(SEPARATOR);
  }

  /// Reads `name`, `name::data` and `name::failures`.
  ///
  /// @throws Refusal `invalid_index_name_exception` for another selector
  public static Selected of(String part) {
    int at = part.indexOf(SEPARATOR);
    if (at < 0) {
      return new Selected(part, Component.DATA);
    }
    return switch (part.substring(at + SEPARATOR.length())) {
      case "data" -> new Selected(part.substring(0, at), Component.DATA);
      case "failures" -> new Selected(part.substring(0, at), Component.FAILURES);
      default ->
          throw new Refusal(
                  ErrorType.INVALID_INDEX_NAME,
                  "Invalid index name ["
                      + part
                      + "], invalid usage of :: separator, ["
                      + part.substring(at + SEPARATOR.length())
                      + "] is not a recognized selector")
              .with("index_uuid", "_na_")
              .with("index", part);
    };
  }

  /// Takes what a part with a selector means.
  static void selected(
      ClusterState state,
      String part,
      IndexExpression.Options options,
      Map<String, IndexMetadata> found) {
    Selected selected = of(part);
    String name = selected.name();
    if (selected.component() == Component.DATA) {
      IndexExpression.resolve(state, name, options)
          .forEach(index -> found.putIfAbsent(index.id().name(), index));
      return;
    }
    List<IndexMetadata> failures = new ArrayList<>();
    boolean isKnown = name.indexOf('*') >= 0 || name.equals("_all");
    for (DataStream stream : meant(state, name, options)) {
      failures.addAll(existing(state, stream, Component.FAILURES));
      isKnown = true;
    }
    if (!isKnown || !failures.isEmpty()) {
      IndexExpression.take(failures, part, options, found);
    }
  }

  /// The backing indices of a stream, or of the streams behind an alias.
  static List<IndexMetadata> named(ClusterState state, String name) {
    DataStream stream = DataStreams.of(state, name);
    List<DataStream> streams = stream == null ? DataStreams.aliased(state, name) : List.of(stream);
    return streams.stream().flatMap(one -> existing(state, one, Component.DATA).stream()).toList();
  }

  /// The backing indices of the streams that match, by their own names or an alias.
  static List<IndexMetadata> matching(
      ClusterState state,
      Predicate<String> pattern,
      String wildcard,
      IndexExpression.Options options) {
    List<IndexMetadata> indices = new ArrayList<>();
    for (DataStream stream : DataStreams.all(state)) {
      boolean isMatch = pattern.test(stream.name());
      for (String alias : stream.aliases().propertyStream().map(Map.Entry::getKey).toList()) {
        isMatch |= pattern.test(alias);
      }
      if (isMatch && isShown(stream, wildcard, options)) {
        indices.addAll(existing(state, stream, Component.DATA));
      }
    }
    return indices;
  }

  /// The streams that an expression means, each once, in the order of their names.
  ///
  /// @param expression names and patterns between commas; empty for all
  /// @throws Refusal `index_not_found_exception` for a name that no stream has
  public static List<DataStream> streams(
      ClusterState state, String expression, IndexExpression.Options options) {
    SortedMap<String, DataStream> found = new TreeMap<>();
    for (String part : (expression.isEmpty() ? "*" : expression).split(",")) {
      if (part.startsWith("-")) {
        found.keySet().removeIf(name -> Wildcards.matches(part.substring(1), name));
        continue;
      }
      List<DataStream> meant = meant(state, part, options);
      boolean isPattern = part.indexOf('*') >= 0 || part.equals("_all");
      if (meant.isEmpty() && !isPattern && !options.ignoreUnavailable()) {
        throw Refusal.indexNotFound(part);
      }
      if (meant.isEmpty() && isPattern && !options.allowNone()) {
        throw Refusal.indexNotFound(part);
      }
      meant.forEach(stream -> found.put(stream.name(), stream));
    }
    return List.copyOf(found.values());
  }

  private static List<DataStream> meant(
      ClusterState state, String part, IndexExpression.Options options) {
    String wildcard = part.equals("_all") ? "*" : part;
    if (wildcard.indexOf('*') < 0) {
      DataStream stream = DataStreams.of(state, part);
      return stream == null ? DataStreams.aliased(state, part) : List.of(stream);
    }
    return DataStreams.all(state).stream()
        .filter(stream -> Wildcards.matches(wildcard, stream.name()))
        .filter(stream -> isShown(stream, wildcard, options))
        .toList();
  }

  private static boolean isShown(
      DataStream stream, String wildcard, IndexExpression.Options options) {
    boolean isMeant = wildcard.startsWith(".") && stream.name().startsWith(".");
    return !stream.isHidden() || options.expandHidden() || isMeant;
  }

  /// The indices of a stream that there are, oldest first.
  public static List<IndexMetadata> existing(
      ClusterState state, DataStream stream, Component component) {
    List<IndexMetadata> indices = new ArrayList<>();
    for (String name : stream.indices(component)) {
      IndexMetadata index = state.indices().get(name);
      if (index != null) {
        indices.add(index);
      }
    }
    return indices;
  }

  /// The aliases of an index and of the stream that it is behind.
  static SortedMap<String, ObjectNode> aliases(IndexMetadata index, @Nullable DataStream stream) {
    if (stream == null || stream.aliases().isEmpty()) {
      return index.aliases();
    }
    Map<String, ObjectNode> all = new LinkedHashMap<>(index.aliases());
    stream
        .aliases()
        .properties()
        .forEach(alias -> all.put(alias.getKey(), (ObjectNode) alias.getValue()));
    return new TreeMap<>(all);
  }
}
