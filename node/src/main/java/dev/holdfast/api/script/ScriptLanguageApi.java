package dev.holdfast.api.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.MatchAllClause;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.script.ScriptTrial;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.TestScript;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.type.Type;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// The languages of scripts, their contexts, and scripts tried out.
public final class ScriptLanguageApi {
  private final Metadata metadata;
  private final MappingFactory mappings;
  private final Clock clock;

  public ScriptLanguageApi(Metadata metadata, MappingFactory mappings, Clock clock) {
    this.metadata = metadata;
    this.mappings = mappings;
    this.clock = clock;
  }

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
    return Answer.of(200, ScriptContexts.languages(Scripts.rules()));
  }

  /// `POST /_scripts/painless/_execute`: on nothing, or on a document as an index would have it.
  public Answer execute(ApiRequest request) throws IOException {
    JsonObject body = JsonObject.of("painless_execute_request", request.body().object());
    JsonNode script = body.required("script");
    String context = body.string("context", TestScript.SHAPE.name());
    JsonNode setup = body.take("context_setup");
    body.done();
    ScriptSource source = ScriptSource.parse(StoredScripts.inline(script, metadata.current()));
    if (ScriptTrial.isContext(context)) {
      ObjectNode answer = Json.object();
      answer.set("result", tried(context, source, setup));
      return Answer.of(200, answer);
    }
    if (!context.equals(TestScript.SHAPE.name())) {
      throw Refusal.badArgument("unsupported script context name [" + context + "]");
    }
    if (setup != null) {
      throw Refusal.badArgument("[context_setup] means nothing in the context [painless_test]");
    }
    Object result =
        Scripts.instance(
                TestScript.class, Scripts.compiled(source, TestScript.SHAPE), source.ownParams())
            .execute();
    return Answer.of(200, Json.object().put("result", ScriptValues.text(result)));
  }

  private JsonNode tried(String context, ScriptSource source, @Nullable JsonNode given)
      throws IOException {
    if (given == null) {
      throw Refusal.badArgument("[context_setup] must be given for the context [" + context + "]");
    }
    JsonObject setup = JsonObject.of("context_setup", given);
    String name = setup.required("index").asText();
    JsonNode document = setup.required("document");
    JsonNode query = setup.take("query");
    setup.done();
    if (!(document instanceof ObjectNode object)) {
      throw Refusal.badArgument("[document] of [context_setup] must be an object");
    }
    IndexMetadata index =
        IndexExpression.resolve(metadata.current(), name, IndexExpression.Options.CHANGE)
            .getFirst();
    return new ScriptTrial(
            index.id().name(),
            source,
            query == null ? new MatchAllClause() : Queries.parse(query),
            clock.epochMillis())
        .run(context, mappings.of(index), object);
  }
}
