package dev.holdfast.api.synonyms;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.analysis.SynonymSets;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The synonym sets of a cluster state: by name, lists of `{"id", "synonyms"}`.
final class StoredSynonyms {
  /// The kind of metadata that synonym sets are.
  static final String CUSTOM = "synonyms";

  private StoredSynonyms() {}

  static ObjectNode all(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode all ? all : Json.object();
  }

  /// @throws Refusal `resource_not_found_exception`
  static ArrayNode require(ClusterState state, String set) {
    if (all(state).get(set) instanceof ArrayNode rules) {
      return rules;
    }
    throw missing("synonyms set [" + set + "] not found");
  }

  static Refusal missing(String what) {
    return new Refusal(ErrorType.RESOURCE_NOT_FOUND, what);
  }

  /// The rule's place in its set; -1 for none.
  static int place(ArrayNode rules, String id) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).path("id").asText().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  /// The state with another content of a set; the indices that use it make their analysers anew.
  ///
  /// @param rules null to take the set away
  static ClusterState with(ClusterState state, String set, @Nullable JsonNode rules) {
    ObjectNode changed = all(state).deepCopy();
    if (rules == null) {
      changed.remove(set);
    } else {
      changed.set(set, rules);
    }
    List<IndexMetadata> users =
        state.indices().values().stream()
            .filter(index -> uses(index, set))
            .map(index -> index.withSettings(index.settings()))
            .toList();
    return state.withCustom(CUSTOM, changed).withChanged(users);
  }

  private static boolean uses(IndexMetadata index, String set) {
    return SynonymSets.used(index.settings()).contains(set);
  }

  /// Names of the indices whose analysers use the set.
  static List<String> users(ClusterState state, String set) {
    return state.indices().values().stream()
        .filter(index -> uses(index, set))
        .map(index -> index.id().name())
        .toList();
  }
}
