package dev.holdfast.api.enrich;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The enrich policies of a cluster state: its custom `enrich_policies`, `{type: {"indices",
/// "match_field", "enrich_fields", "query"?}}` by name; and the indices that were made of them.
final class EnrichPolicies {
  private static final String CUSTOM = "enrich_policies";
  private static final String PREFIX = ".enrich-";

  private EnrichPolicies() {}

  /// What an index of a policy holds.
  ///
  /// @param type `match`, `range` or `geo_match`
  /// @param query of the documents that are taken; null for all
  record Policy(
      String type,
      List<String> indices,
      String matchField,
      List<String> enrichFields,
      @Nullable ObjectNode query) {
    private static final List<String> TYPES = List.of("match", "range", "geo_match");

    /// @param body `{type: {…}}`
    static Policy read(ObjectNode body) {
      JsonObject request = JsonObject.of("policy", body);
      if (body.size() != 1) {
        throw Refusal.badArgument("a policy has exactly one type of " + TYPES);
      }
      String type = body.fieldNames().next();
      if (!TYPES.contains(type)) {
        throw Refusal.badArgument(
            "unsupported policy type [" + type + "], supported types are " + TYPES);
      }
      JsonObject given = JsonObject.of("policy", request.required(type));
      List<String> indices = given.strings("indices");
      String field = given.required("match_field").asText();
      List<String> fields = given.strings("enrich_fields");
      JsonObject query = given.object("query");
      given.string("elasticsearch_version");
      given.done();
      if (indices.isEmpty() || fields.isEmpty() || field.isEmpty()) {
        throw Refusal.badArgument("[indices], [match_field] and [enrich_fields] must be specified");
      }
      return new Policy(type, indices, field, fields, query == null ? null : query.node());
    }

    ObjectNode json() {
      ObjectNode body = Json.object();
      ObjectNode json = body.putObject(type);
      indices.forEach(json.putArray("indices")::add);
      if (query != null) {
        json.set("query", query);
      }
      json.put("match_field", matchField);
      enrichFields.forEach(json.putArray("enrich_fields")::add);
      return body;
    }
  }

  static SortedMap<String, Policy> all(ClusterState state) {
    SortedMap<String, Policy> all = new TreeMap<>();
    if (state.customs().get(CUSTOM) instanceof ObjectNode kept) {
      kept.properties()
          .forEach(one -> all.put(one.getKey(), Policy.read((ObjectNode) one.getValue())));
    }
    return all;
  }

  static ClusterState with(ClusterState state, SortedMap<String, Policy> policies) {
    ObjectNode kept = Json.object();
    policies.forEach((name, policy) -> kept.set(name, policy.json()));
    return state.withCustom(CUSTOM, kept);
  }

  /// The alias of the index that is asked.
  static String alias(String policy) {
    return PREFIX + policy;
  }

  /// The name of an index that an execution makes.
  static String index(String policy, long epochMillis) {
    return PREFIX + policy + "-" + epochMillis;
  }

  /// The index that is asked; null when the policy was never executed, or its index is gone.
  static @Nullable IndexMetadata current(ClusterState state, String policy) {
    String alias = alias(policy);
    return state.indices().values().stream()
        .filter(index -> index.aliases().containsKey(alias))
        .findFirst()
        .orElse(null);
  }

  /// The state without the indices of a policy.
  ///
  /// @param untilMillis of executions that began before; those after stay
  static ClusterState withoutIndices(ClusterState state, String policy, long untilMillis) {
    ClusterState left = state;
    for (String name : List.copyOf(state.indices().keySet())) {
      long began = began(name, policy);
      if (began >= 0 && began < untilMillis) {
        left = left.withoutIndex(name);
      }
    }
    return left;
  }

  /// Whether an execution that made an index of a policy began after another.
  static boolean isYounger(IndexMetadata index, String policy, long otherMillis) {
    return began(index.id().name(), policy) > otherMillis;
  }

  /// When the execution began that made an index; -1 for one that is not of the policy.
  private static long began(String index, String policy) {
    String prefix = alias(policy) + "-";
    String number = index.startsWith(prefix) ? index.substring(prefix.length()) : "";
    return number.matches("\\d{1,18}") ? Long.parseLong(number) : -1;
  }
}
