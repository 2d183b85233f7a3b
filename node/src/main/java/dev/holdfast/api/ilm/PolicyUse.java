package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;

/// Who names a lifecycle policy.
///
/// @param streams whose template names it
record PolicyUse(List<String> indices, List<String> streams, List<String> templates) {
  static PolicyUse of(ClusterState state, String policy) {
    List<String> indices = new ArrayList<>();
    state
        .indices()
        .forEach((name, index) -> {
          if (policy.equals(LifecycleSettings.of(index).policy())) {
            indices.add(name);
          }
        });
    List<String> templates = new ArrayList<>();
    MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE)
        .forEach((name, template) -> {
          var settings = MatchingTemplates.composed(state, template, null).settings();
          if (policy.equals(new LifecycleSettings(settings).policy())) {
            templates.add(name);
          }
        });
    List<String> streams =
        DataStreams.all(state).stream()
            .map(stream -> stream.name())
            .filter(name -> templates.contains(MatchingTemplates.winner(state, name)))
            .toList();
    return new PolicyUse(indices, streams, templates);
  }

  ObjectNode json() {
    ObjectNode json = Json.object();
    indices.forEach(json.putArray("indices")::add);
    streams.forEach(json.putArray("data_streams")::add);
    templates.forEach(json.putArray("composable_templates")::add);
    return json;
  }
}
