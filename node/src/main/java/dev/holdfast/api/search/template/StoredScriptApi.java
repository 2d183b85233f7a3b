package dev.holdfast.api.search.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.script.ScriptContexts;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `GET|PUT|DELETE /_scripts/{id}`: templates kept under a name.
public final class StoredScriptApi {
  private static final int SOURCE_CHARS_MAX = 65_535;

  private final Metadata metadata;

  public StoredScriptApi(Metadata metadata) {
    this.metadata = metadata;
  }

  public Answer get(ApiRequest request) {
    String id = request.required("id");
    JsonNode stored = SearchTemplates.stored(metadata.current(), id);
    ObjectNode answer = Json.object().put("_id", id).put("found", stored != null);
    if (stored != null) {
      answer.set("script", stored);
    }
    return Answer.of(stored == null ? 404 : 200, answer);
  }

  public Answer put(ApiRequest request) throws InterruptedException {
    String id = request.required("id");
    JsonObject body = JsonObject.of("stored_script", request.body().kept());
    JsonObject script = body.object("script");
    if (script == null) {
      throw new Refusal(ErrorType.PARSE, "must specify <script> for stored script [" + id + "]");
    }
    body.done();
    ObjectNode stored = Json.object();
    String lang = script.string("lang");
    JsonNode source = script.take("source");
    JsonNode options = script.take("options");
    JsonNode _ = script.take("params");
    requireKind("source", source, source != null && (source.isTextual() || source.isObject()));
    requireKind("options", options, options != null && options.isObject());
    requireOptions(options);
    if (lang == null || lang.isEmpty()) {
      throw Refusal.badArgument("must specify lang for stored script");
    }
    if (source == null || (source.isTextual() && source.asText().isEmpty())) {
      throw Refusal.badArgument("must specify source for stored script");
    }
    script.done();
    String text = source.isTextual() ? source.asText() : source.toString();
    if (text.length() > SOURCE_CHARS_MAX) {
      throw Refusal.badArgument(
          "exceeded max allowed stored script size in bytes [" + SOURCE_CHARS_MAX + "]");
    }
    try {
      ScriptContexts.check(lang, text, request.text("context"));
    } catch (Refusal e) {
      throw e.type() == ErrorType.SCRIPT
          ? e
          : new Refusal(
              ErrorType.ILLEGAL_ARGUMENT, "failed to parse/compile stored script [" + id + "]", e);
    }
    stored.put("lang", lang);
    stored.put("source", text);
    if (options != null && lang.equals("mustache")) {
      if (!options.isEmpty()) {
        stored.set("options", options);
      }
    } else if (!source.isTextual() && lang.equals("mustache")) {
      stored.putObject("options").put("content_type", "application/json;charset=utf-8");
    }
    metadata.update(
        "put-stored-script",
        state -> {
          JsonNode all = state.customs().get(SearchTemplates.CUSTOM);
          ObjectNode changed = all instanceof ObjectNode known ? known.deepCopy() : Json.object();
          changed.set(id, stored);
          return state.withCustom(SearchTemplates.CUSTOM, changed);
        });
    return Answer.acknowledged();
  }

  /// A compiler has no option but the type of what a template writes.
  private static void requireOptions(@Nullable JsonNode options) {
    if (options == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> option : options.properties()) {
      if (!option.getKey().equals("content_type") || !option.getValue().isTextual()) {
        throw Refusal.badArgument("illegal compiler options [" + options + "] specified");
      }
    }
  }

  private static void requireKind(String member, @Nullable JsonNode given, boolean isRight) {
    if (given != null && !isRight) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[stored script source] "
              + member
              + " doesn't support values of type: "
              + JsonObject.token(given));
    }
  }

  public Answer delete(ApiRequest request) throws InterruptedException {
    String id = request.required("id");
    metadata.update(
        "delete-stored-script",
        state -> {
          JsonNode all = state.customs().get(SearchTemplates.CUSTOM);
          if (!(all instanceof ObjectNode known) || !known.has(id)) {
            throw new Refusal(
                ErrorType.RESOURCE_NOT_FOUND,
                "stored script [" + id + "] does not exist and cannot be deleted");
          }
          ObjectNode changed = known.deepCopy();
          changed.remove(List.of(id));
          return state.withCustom(SearchTemplates.CUSTOM, changed);
        });
    return Answer.acknowledged();
  }
}
