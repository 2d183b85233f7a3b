package dev.holdfast.api.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.TestScript;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.type.Type;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.lang.reflect.Method;

/// The languages of scripts, their contexts, and scripts tried out.
public final class ScriptLanguageApi {
  /// `GET /_script_context`
  public Answer contexts(ApiRequest request) {
    ObjectNode answer = Json.object();
    ArrayNode contexts = answer.putArray("contexts");
    for (Shape shape : ScriptContexts.all().values()) {
      ObjectNode context = contexts.addObject().put("name", shape.name());
      ArrayNode methods = context.putArray("methods");
      ObjectNode execute = method(methods, shape.execute(), "execute");
      ArrayNode params = execute.withArray("params");
      for (int i = 0; i < shape.parameters().size(); i++) {
        params
            .addObject()
            .put("type", Type.name(shape.execute().getParameterTypes()[i]))
            .put("name", shape.parameters().get(i));
      }
      shape
          .variables()
          .forEach((name, getter) ->
              method(
                  methods,
                  getter,
                  getter.getName().startsWith("get") ? getter.getName() : "get" + name));
    }
    return Answer.of(200, answer);
  }

  private static ObjectNode method(ArrayNode methods, Method method, String name) {
    ObjectNode shown =
        methods.addObject().put("name", name).put("return_type", Type.name(method.getReturnType()));
    shown.putArray("params");
    return shown;
  }

  /// `GET /_script_language`
  public Answer languages(ApiRequest request) {
    ObjectNode answer = Json.object();
    answer.putArray("types_allowed").add("inline").add("stored");
    ArrayNode languages = answer.putArray("language_contexts");
    languages.addObject().put("language", "mustache").putArray("contexts").add("template");
    ArrayNode painless =
        languages.addObject().put("language", ScriptSource.PAINLESS).putArray("contexts");
    ScriptContexts.all().keySet().forEach(painless::add);
    return Answer.of(200, answer);
  }

  /// `POST /_scripts/painless/_execute`: the context `painless_test`, which has no document.
  public Answer execute(ApiRequest request) {
    JsonObject body = JsonObject.of("painless_execute_request", request.body().object());
    JsonNode script = body.required("script");
    String context = body.string("context", TestScript.SHAPE.name());
    JsonNode setup = body.take("context_setup");
    body.done();
    if (!context.equals(TestScript.SHAPE.name())) {
      throw Refusal.badArgument(
          "unsupported script context name [" + context + "]: only [painless_test] is executed");
    }
    if (setup != null) {
      throw Refusal.badArgument("[context_setup] means nothing in the context [painless_test]");
    }
    ScriptSource source = ScriptSource.parse(script);
    Object result =
        Scripts.instance(
                TestScript.class, Scripts.compiled(source, TestScript.SHAPE), source.ownParams())
            .execute();
    return Answer.of(200, Json.object().put("result", ScriptValues.text(result)));
  }
}
