package dev.holdfast.script;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A script of a request: a text alone, or `{"source", "lang", "params", "options"}`. One that is
/// stored, `{"id", "params"}`, has been looked up before it gets here.
///
/// @param params what the script sees as `params`, ready for Java
public record ScriptSource(String lang, String text, Map<String, Object> params) {
  public static final String PAINLESS = "painless";
  public static final String EXPRESSION = "expression";

  /// @throws Refusal 400 when it is no script, or of a language that there is not
  public static ScriptSource parse(@Nullable JsonNode json) {
    if (json != null && json.isTextual()) {
      return new ScriptSource(PAINLESS, json.asText(), Map.of());
    }
    if (json == null || !json.isObject()) {
      throw new Refusal(ErrorType.PARSING, "[script] unknown token, expected a script");
    }
    JsonObject body = JsonObject.of("script", json);
    JsonNode source = body.take("source");
    JsonNode inline = source == null ? body.take("inline") : source;
    String id = body.string("id");
    String lang = body.string("lang", PAINLESS);
    JsonNode params = body.take("params");
    JsonNode options = body.take("options");
    body.done();
    if (id != null) {
      throw inline != null
          ? Refusal.badArgument("illegal to use both [id] and [source] in a script")
          : new Refusal(
              ErrorType.RESOURCE_NOT_FOUND, "unable to find script [" + id + "] in cluster state");
    }
    if (inline == null || !inline.isTextual()) {
      throw Refusal.badArgument(
          "must specify either [source] for an inline script or [id] for a stored script");
    }
    if (options != null && !options.isEmpty()) {
      throw Refusal.badArgument("illegal compiler options [" + options + "] specified");
    }
    if (!lang.equals(PAINLESS) && !lang.equals(EXPRESSION)) {
      throw Refusal.badArgument("script_lang not supported [" + lang + "]");
    }
    if (inline.asText().isEmpty()) {
      throw Refusal.badArgument(
          "must specify <id> for a stored script or a [source] that is not empty");
    }
    return new ScriptSource(lang, inline.asText(), params(params));
  }

  private static Map<String, Object> params(@Nullable JsonNode params) {
    if (params == null || params.isNull()) {
      return Map.of();
    }
    if (!params.isObject()) {
      throw new Refusal(ErrorType.PARSING, "[script] params must be an object");
    }
    return ScriptValues.map(params);
  }

  /// A map of its own for one instance of the script: what a script changes there stays there.
  public Map<String, Object> ownParams() {
    return new LinkedHashMap<>(params);
  }
}
