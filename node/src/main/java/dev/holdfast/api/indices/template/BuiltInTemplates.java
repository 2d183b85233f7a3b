package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Templates that are there from the start, under the names that Elasticsearch gives them: those of
/// streams of logs, metrics and synthetics, and the components that they are made of.
final class BuiltInTemplates {
  /// The cluster setting without which new streams do not get them.
  static final String ENABLED = "stack.templates.enabled";

  private static final BuiltInDefinitions COMPONENTS =
      BuiltInDefinitions.of("/dev/holdfast/api/indices/template/built-in-component-templates.json");
  private static final BuiltInDefinitions STREAMS =
      BuiltInDefinitions.of("/dev/holdfast/api/indices/template/built-in-index-templates.json");

  private BuiltInTemplates() {}

  /// Those of a kind, by name. When they are switched off, components stay, and templates for as
  /// long as there are streams of theirs: these could not be rolled over without.
  static SortedMap<String, ObjectNode> of(ClusterState state, String kind) {
    if (kind.equals(MatchingTemplates.COMPONENT)) {
      return COMPONENTS.all();
    }
    if (!kind.equals(MatchingTemplates.COMPOSABLE)) {
      return new TreeMap<>();
    }
    if (!"false".equals(String.valueOf(state.setting(ENABLED)))) {
      return STREAMS.all();
    }
    SortedMap<String, ObjectNode> used = new TreeMap<>(STREAMS.all());
    List<String> streams = DataStreams.all(state).stream().map(DataStream::name).toList();
    used.values()
        .removeIf(template ->
            streams.stream().noneMatch(name -> MatchingTemplates.isFor(template, name)));
    return used;
  }

  /// Whether a template is the built-in one of its name.
  static boolean isOwn(String kind, String name, ObjectNode template) {
    return kind.equals(MatchingTemplates.COMPONENT)
        ? COMPONENTS.isOwn(name, template)
        : kind.equals(MatchingTemplates.COMPOSABLE) && STREAMS.isOwn(name, template);
  }
}
