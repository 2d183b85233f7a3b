package dev.holdfast.api.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.script.Scripts;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The stored scripts of the cluster state. A request that names one carries the script itself from
/// the node that took the request on, so that all shards run the same.
public final class StoredScripts {
  /// The kind of metadata that stored scripts are: by id, `{"lang", "source", "options"}`.
  public static final String CUSTOM = "scripts";

  private static final byte[] ID = "\"id\"".getBytes(StandardCharsets.UTF_8);
  private static final byte[] SCRIPT = "script\"".getBytes(StandardCharsets.UTF_8);

  private StoredScripts() {}

  /// The stored script of that id, or null.
  public static @Nullable JsonNode find(ClusterState state, String id) {
    JsonNode all = state.customs().get(CUSTOM);
    return all == null ? null : all.get(id);
  }

  /// The texts of all stored scripts.
  public static Set<String> texts(ClusterState state) {
    JsonNode all = state.customs().get(CUSTOM);
    Set<String> texts = new HashSet<>();
    if (all != null) {
      all.forEach(stored -> texts.add(stored.path("source").asText()));
    }
    return texts;
  }

  /// The script itself for `{"id", "params"}`; any other as it is.
  ///
  /// @throws Refusal 404 when there is no script of that id
  public static JsonNode inline(JsonNode script, ClusterState state) {
    if (!script.isObject() || !script.path("id").isTextual() || script.has("source")) {
      return script;
    }
    if (!Scripts.runsStored()) {
      throw Refusal.badArgument("cannot execute [stored] scripts");
    }
    String id = script.path("id").asText();
    JsonNode stored = find(state, id);
    if (stored == null) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND, "unable to find script [" + id + "] in cluster state");
    }
    ObjectNode whole = ((ObjectNode) script).deepCopy();
    whole.remove("id");
    whole.set("lang", stored.get("lang"));
    whole.set("source", stored.get("source"));
    return whole;
  }

  /// Whether a member of a body is a script that is named: under `script` and names that end with
  /// `_script`.
  public static boolean isStored(String name, JsonNode value) {
    return (name.equals("script") || name.endsWith("_script")) && value.path("id").isTextual();
  }

  /// [#inline] for the `script` of a body that is bytes still.
  ///
  /// @return null when it names none
  public static byte @Nullable [] inline(byte[] bytes, int offset, int length, ClusterState state) {
    if (!contains(bytes, offset, length, SCRIPT) || !contains(bytes, offset, length, ID)) {
      return null;
    }
    ObjectNode body = Json.parseObject(bytes, offset, length);
    JsonNode script = body.get("script");
    if (script == null || !script.path("id").isTextual()) {
      return null;
    }
    body.set("script", inline(script, state));
    return Json.bytes(body);
  }

  private static boolean contains(byte[] bytes, int offset, int length, byte[] what) {
    for (int i = offset; i <= offset + length - what.length; i++) {
      int j = 0;
      while (j < what.length && bytes[i + j] == what[j]) {
        j++;
      }
      if (j == what.length) {
        return true;
      }
    }
    return false;
  }
}
