package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// One step of an update of aliases.
sealed interface AliasChange {
  /// Which indices a change may name: open, closed and hidden ones; there must be one.
  IndexExpression.Options TARGETS =
      new IndexExpression.Options(false, false, true, true, true, true);

  /// @param expression of indices: an alias is none
  /// @throws Refusal when it names an alias, or nothing
  static List<IndexMetadata> meant(ClusterState state, String expression) {
    for (String part : expression.split(",", -1)) {
      boolean isOwn = state.indices().containsKey(part) || DataStreams.of(state, part) != null;
      if (!isOwn && part.indexOf('*') < 0 && !IndexExpression.targets(state, part).isEmpty()) {
        throw isAlias(part);
      }
    }
    return IndexExpression.resolve(state, expression, TARGETS);
  }

  private static Refusal isAlias(String name) {
    return Refusal.badArgument(
        "The provided expression ["
            + name
            + "] matches an alias, specify the corresponding concrete indices instead.");
  }

  /// The state after this step.
  ///
  /// @param work of the whole request
  /// @throws Refusal when an index or alias does not exist, when the alias can't have that name, or
  ///   when it is too much work
  ClusterState apply(ClusterState state, AliasWork work);

  /// Gives an alias to indices, or gives it new options.
  ///
  /// @param options as kept with the index
  record Add(String index, String alias, ObjectNode options) implements AliasChange {
    @Override
    public ClusterState apply(ClusterState state, AliasWork work) {
      IndexNameRules.requireAliasName(alias);
      work.match(index, state.indices().size());
      if (state.indices().containsKey(alias) || DataStreams.of(state, alias) != null) {
        throw Aliases.nameInUse(alias);
      }
      List<DataStream> streams = StreamAliases.meant(state, index);
      if (!streams.isEmpty()) {
        work.add(state.indices().size() + aliasesOf(streams));
        return StreamAliases.add(state, streams, index, alias, options);
      }
      Aliases.requireNoneOfStreams(state, alias);
      List<IndexMetadata> gained = new ArrayList<>();
      for (IndexMetadata each : meant(state, index)) {
        work.add(1L + each.aliases().size());
        IndexBlocks.requireChangeable(each);
        StreamAliases.requireNoBackingIndex(state, index, each);
        Aliases.requireNoRouting(each.settings(), options);
        SortedMap<String, ObjectNode> aliases = new TreeMap<>(each.aliases());
        aliases.put(alias, options);
        gained.add(each.withAliases(aliases));
      }
      work.copy(state);
      ClusterState changed = state.withChanged(gained);
      if (options.path("is_write_index").asBoolean(false)) {
        work.add(state.indices().size());
        Aliases.requireOneWriteIndex(changed, alias);
      }
      return changed;
    }
  }

  private static long aliasesOf(List<DataStream> streams) {
    return streams.stream().mapToLong(stream -> 1L + stream.aliases().size()).sum();
  }

  /// Takes aliases from indices.
  ///
  /// @param aliases patterns; `_all` for all
  /// @param mustExist false when it is no error that nothing matches
  record Remove(String index, List<String> aliases, boolean mustExist) implements AliasChange {
    @Override
    public ClusterState apply(ClusterState state, AliasWork work) {
      work.match(index, state.indices().size());
      List<DataStream> streams = StreamAliases.meant(state, index);
      work.add(aliasesOf(streams) * aliases.size());
      boolean found = StreamAliases.have(streams, this::isMeant);
      List<IndexMetadata> changed = new ArrayList<>();
      for (IndexMetadata each : meant(state, index)) {
        work.add((1L + each.aliases().size()) * aliases.size());
        SortedMap<String, ObjectNode> left = new TreeMap<>(each.aliases());
        if (left.keySet().removeIf(this::isMeant)) {
          IndexBlocks.requireChangeable(each);
          found = true;
          changed.add(each.withAliases(left));
        }
      }
      if (!found && mustExist) {
        throw AliasAction.missing(aliases);
      }
      work.copy(state);
      return StreamAliases.remove(state, streams, this::isMeant).withChanged(changed);
    }

    /// Whether there is anything to take.
    boolean finds(ClusterState state, AliasWork work) {
      work.match(index, state.indices().size());
      List<DataStream> streams = StreamAliases.meant(state, index);
      work.add(aliasesOf(streams) * aliases.size());
      if (StreamAliases.have(streams, this::isMeant)) {
        return true;
      }
      for (IndexMetadata each : meant(state, index)) {
        work.add((1L + each.aliases().size()) * aliases.size());
        if (each.aliases().keySet().stream().anyMatch(this::isMeant)) {
          return true;
        }
      }
      return false;
    }

    private boolean isMeant(String alias) {
      return aliases.stream().anyMatch(p -> p.equals("_all") || Wildcards.matches(p, alias));
    }
  }

  /// Deletes an index, in one step with the changes of aliases around it.
  record RemoveIndex(String index) implements AliasChange {
    @Override
    public ClusterState apply(ClusterState state, AliasWork work) {
      work.match(index, state.indices().size());
      if (!state.indices().containsKey(index) && index.indexOf('*') < 0) {
        if (IndexExpression.targets(state, index).isEmpty()) {
          throw Refusal.indexNotFound(index);
        }
        throw isAlias(index);
      }
      ClusterState changed = state;
      for (IndexMetadata each : IndexExpression.resolve(state, index, TARGETS)) {
        IndexBlocks.requireDeletable(each);
        changed = BackingIndices.without(changed, each);
      }
      return changed;
    }
  }
}
