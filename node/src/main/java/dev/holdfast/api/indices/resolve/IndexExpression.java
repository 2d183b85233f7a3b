package dev.holdfast.api.indices.resolve;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Which indices a request means: names, aliases, wildcards, exclusions, `_all` (Elasticsearch's
/// multi-target syntax).
public final class IndexExpression {
  /// Query parameters that every API with a multi-target expression takes.
  public static final List<String> PARAMETERS =
      List.of("ignore_unavailable", "allow_no_indices", "expand_wildcards", "ignore_throttled");

  private IndexExpression() {}

  /// These and more.
  public static List<String> parameters(String... more) {
    List<String> all = new ArrayList<>(PARAMETERS);
    all.addAll(List.of(more));
    return all;
  }

  /// What to do about names that are missing or closed.
  ///
  /// @param ignoreUnavailable missing and closed indices named outright are left out instead of
  ///   refused
  /// @param allowNone an expression that matches nothing is no error
  /// @param expandOpen wildcards match open indices
  /// @param expandClosed wildcards match closed indices
  /// @param expandHidden wildcards match hidden indices
  /// @param allowClosed closed indices that are meant are taken instead of refused
  public record Options(
      boolean ignoreUnavailable,
      boolean allowNone,
      boolean expandOpen,
      boolean expandClosed,
      boolean expandHidden,
      boolean allowClosed) {
    /// Searches: open indices, nothing matched is fine.
    public static final Options SEARCH = new Options(false, true, true, false, false, false);

    /// Reading metadata: wildcards match open indices, closed ones can be named.
    public static final Options READ = new Options(false, true, true, false, false, true);

    /// Metadata of all indices: closed indices too.
    public static final Options METADATA = new Options(false, true, true, true, false, true);

    /// Changing mappings and settings: what matches nothing is missing.
    public static final Options CHANGE = new Options(false, false, true, true, false, true);

    /// These options with what the request says.
    public Options of(ApiRequest request) {
      Options expanded =
          request.has("expand_wildcards")
              ? expanding(request.list("expand_wildcards").toArray(String[]::new))
              : this;
      return new Options(
          request.flag("ignore_unavailable", ignoreUnavailable),
          request.flag("allow_no_indices", allowNone),
          expanded.expandOpen(),
          expanded.expandClosed(),
          expanded.expandHidden(),
          allowClosed);
    }

    /// These options with wildcards that match indices of these kinds only.
    public Options expanding(String... kinds) {
      boolean open = false;
      boolean closed = false;
      boolean hidden = false;
      for (String kind : kinds) {
        switch (kind) {
          case "all" -> open = closed = hidden = true;
          case "open" -> open = true;
          case "closed" -> closed = true;
          case "hidden" -> hidden = true;
          case "none" -> open = closed = hidden = false;
          default -> throw Refusal.badArgument("No valid expand wildcard value [" + kind + "]");
        }
      }
      return new Options(ignoreUnavailable, allowNone, open, closed, hidden, allowClosed);
    }
  }

  /// The indices meant, each once, in order.
  ///
  /// @param expression names and patterns between commas; empty for all
  /// @throws Refusal `index_not_found_exception`, `index_closed_exception`
  public static List<IndexMetadata> resolve(
      ClusterState state, String expression, Options options) {
    // By what names them: an exclusion takes away a name that was said, or what a wildcard stood
    // for, not one of the indices behind an alias.
    Map<String, Collection<IndexMetadata>> named = new LinkedHashMap<>();
    boolean expandsNothing = !options.expandOpen() && !options.expandClosed();
    List<String> meant = expression.isEmpty() && expandsNothing ? List.of() : parts(expression);
    for (String part : meant) {
      StopSignal.pollForCancelling();
      if (part.equals("-")) {
        throw nameless("exclusion cannot be empty");
      }
      if (part.startsWith("-")) {
        exclude(state, part.substring(1), options, named);
        continue;
      }
      Map<String, IndexMetadata> found = new LinkedHashMap<>();
      boolean isWildcard = part.indexOf('*') >= 0 && !expandsNothing;
      if (StreamExpression.hasSelector(part)) {
        StreamExpression.selected(state, part, options, found);
      } else if (part.equals("_all") || isWildcard) {
        expand(state, part.equals("_all") ? "*" : part, options, found);
      } else {
        take(targets(state, part), part, options, found);
      }
      if (part.equals("_all") || isWildcard) {
        found.forEach((name, index) -> named.putIfAbsent(name, List.of(index)));
      } else {
        named.putIfAbsent(part, found.values());
      }
    }
    Map<String, IndexMetadata> all = new LinkedHashMap<>();
    named.values().forEach(some -> some.forEach(one -> all.putIfAbsent(one.id().name(), one)));
    removeClosed(all, options);
    if (all.isEmpty() && !options.allowNone()) {
      throw Refusal.indexNotFound(expression.isEmpty() ? "_all" : expression);
    }
    return new ArrayList<>(all.values());
  }

  /// The same where only names of indices count: aliases are unknown, or left out.
  public static List<IndexMetadata> resolveNames(
      ClusterState state, String expression, Options options) {
    SortedMap<String, IndexMetadata> nameless = new TreeMap<>();
    state
        .indices()
        .forEach((name, index) -> nameless.put(name, index.withAliases(new TreeMap<>())));
    ClusterState withoutAliases = DataStreams.none(state.withIndices(nameless));
    return resolve(withoutAliases, expression, options).stream()
        .map(index -> Objects.requireNonNull(state.indices().get(index.id().name())))
        .toList();
  }

  /// Closed indices are refused, or left out, once it is known which are meant: they may be
  /// excluded.
  private static void removeClosed(Map<String, IndexMetadata> meant, Options options) {
    if (options.allowClosed()) {
      return;
    }
    for (IndexMetadata index : List.copyOf(meant.values())) {
      if (!index.isOpen() && !options.ignoreUnavailable()) {
        throw closed(index);
      }
      if (!index.isOpen()) {
        meant.remove(index.id().name());
      }
    }
  }

  /// How an expression names an index.
  ///
  /// @param aliases the options of the aliases through which it does; empty when it (also) names it
  ///   by its own name or that of its data stream
  /// @param isOutright whether it names those aliases without wildcards
  public record Naming(List<ObjectNode> aliases, boolean isOutright) {}

  /// How an expression names an index, one of those that it means.
  public static Naming naming(
      ClusterState state, IndexMetadata index, String expression, Options options) {
    String name = index.id().name();
    DataStream stream = DataStreams.owning(state, name);
    SortedMap<String, ObjectNode> all = StreamExpression.aliases(index, stream);
    if (all.isEmpty()) {
      return new Naming(List.of(), true);
    }
    boolean isByName = false;
    boolean isOutright = true;
    SortedMap<String, ObjectNode> through = new TreeMap<>();
    for (String part : parts(expression)) {
      StopSignal.pollForCancelling();
      boolean isExcluded = part.startsWith("-");
      Predicate<String> pattern = pattern(isExcluded ? part.substring(1) : part);
      boolean isNamed =
          part.equals("_all")
              || pattern.test(name)
              || (stream != null && pattern.test(stream.name()));
      if (isExcluded) {
        isByName &= !isNamed;
        exclude(pattern, through);
        continue;
      }
      isByName |= isNamed;
      boolean isWildcard = part.indexOf('*') >= 0;
      for (Map.Entry<String, ObjectNode> alias : all.entrySet()) {
        boolean isShown = !isWildcard || isShown(alias, part, options);
        if (isShown && pattern.test(alias.getKey())) {
          through.put(alias.getKey(), alias.getValue());
          isOutright &= !isWildcard;
        }
      }
    }
    return new Naming(isByName ? List.of() : List.copyOf(through.values()), isOutright);
  }

  /// An index that is meant is never seen without any filter because the last alias was taken away.
  private static void exclude(Predicate<String> excluded, SortedMap<String, ObjectNode> through) {
    SortedMap<String, ObjectNode> left = new TreeMap<>(through);
    left.keySet().removeIf(excluded);
    if (!left.isEmpty()) {
      through.keySet().retainAll(left.keySet());
    }
  }

  private static void exclude(
      ClusterState state,
      String part,
      Options options,
      Map<String, Collection<IndexMetadata>> named) {
    StreamExpression.Selected selected = StreamExpression.of(part);
    Predicate<String> excluded = pattern(selected.name());
    named.remove(part);
    if (part.indexOf('*') >= 0 && selected.component() == DataStream.Component.DATA) {
      for (IndexMetadata index : state.indices().values()) {
        if (isShown(index, excluded, part, options) && isWanted(index, options)) {
          named.remove(index.id().name());
        }
      }
    }
    for (DataStream stream : DataStreams.all(state)) {
      if (excluded.test(stream.name())) {
        named.keySet().removeAll(stream.indices(selected.component()));
      }
    }
  }

  private static List<String> parts(String expression) {
    if (expression.isEmpty()) {
      return List.of("*");
    }
    List<String> parts = List.of(expression.split(","));
    if (parts.isEmpty() || parts.contains("")) { // commas alone name nothing, not everything
      throw nameless("expression cannot be empty");
    }
    return parts;
  }

  private static Refusal nameless(String why) {
    return new Refusal(ErrorType.INVALID_INDEX_NAME, "Invalid index name [], " + why)
        .with("index_uuid", "_na_")
        .with("index", "");
  }

  private static void expand(
      ClusterState state, String wildcard, Options options, Map<String, IndexMetadata> found) {
    Predicate<String> pattern = pattern(wildcard);
    boolean matched = false;
    for (IndexMetadata index : state.indices().values()) {
      StopSignal.pollForCancelling(); // thousands of wildcards with as many names
      if (isShown(index, pattern, wildcard, options) && isWanted(index, options)) {
        found.putIfAbsent(index.id().name(), index);
        matched = true;
      }
    }
    for (IndexMetadata index : StreamExpression.matching(state, pattern, wildcard, options)) {
      if (isWanted(index, options)) {
        found.putIfAbsent(index.id().name(), index);
        matched = true;
      }
    }
    if (!matched && !options.allowNone()) {
      throw Refusal.indexNotFound(wildcard.equals("*") ? "_all" : wildcard);
    }
  }

  /// Whether a wildcard matches an index by a name that it sees: the index's own, or that of an
  /// alias.
  private static boolean isShown(
      IndexMetadata index, Predicate<String> pattern, String wildcard, Options options) {
    String name = index.id().name();
    boolean isHidden = index.setting("index.hidden", "false").equals("true");
    return (pattern.test(name) && isShown(name, isHidden, wildcard, options))
        || index.aliases().entrySet().stream()
            .anyMatch(alias -> pattern.test(alias.getKey()) && isShown(alias, wildcard, options));
  }

  /// Whether wildcards see an alias.
  public static boolean isShown(
      Map.Entry<String, ObjectNode> alias, String wildcard, Options options) {
    boolean isHidden = alias.getValue().path("is_hidden").asBoolean();
    return isShown(alias.getKey(), isHidden, wildcard, options);
  }

  private static boolean isShown(String name, boolean isHidden, String wildcard, Options options) {
    boolean isDotted = wildcard.startsWith(".") && name.startsWith(".");
    return !isHidden || options.expandHidden() || isDotted;
  }

  private static boolean isWanted(IndexMetadata index, Options options) {
    return index.isOpen() ? options.expandOpen() : options.expandClosed();
  }

  /// What a name stands for; closed indices, too, unless they are ignored.
  static void take(
      Collection<IndexMetadata> targets,
      String name,
      Options options,
      Map<String, IndexMetadata> found) {
    if (targets.isEmpty()) {
      if (name.startsWith("_")) {
        throw new Refusal(
                ErrorType.INVALID_INDEX_NAME,
                "Invalid index name [" + name + "], must not start with '_', '-', or '+'")
            .with("index_uuid", "_na_")
            .with("index", name);
      }
      if (!options.ignoreUnavailable()) {
        throw Refusal.indexNotFound(name);
      }
    }
    for (IndexMetadata index : targets) {
      if (index.isOpen() || options.allowClosed() || !options.ignoreUnavailable()) {
        found.putIfAbsent(index.id().name(), index);
      }
    }
  }

  /// The index of that name, or the indices behind a data stream or an alias; empty when there is
  /// none.
  public static Collection<IndexMetadata> targets(ClusterState state, String name) {
    IndexMetadata index = state.indices().get(name);
    if (index != null) {
      return List.of(index);
    }
    List<IndexMetadata> behind = StreamExpression.named(state, name);
    if (!behind.isEmpty()) {
      return behind;
    }
    return state.indices().values().stream().filter(i -> i.aliases().containsKey(name)).toList();
  }

  static Refusal closed(IndexMetadata index) {
    return new Refusal(ErrorType.INDEX_CLOSED, "closed")
        .with("index_uuid", index.id().uuid())
        .with("index", index.id().name());
  }

  /// Names that are what a pattern says, in which `*` stands for any text.
  public static Predicate<String> pattern(String wildcard) {
    return name -> Wildcards.matches(wildcard, name);
  }
}
