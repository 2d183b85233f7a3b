package dev.holdfast.api.broadcast;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ByteSink;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.Format;
import dev.holdfast.http.Header;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.Verb;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.RawJson;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Requests about what one node alone holds, a task or an async search, whatever node their client
/// asks: the node that holds it is asked the same, and its answer is theirs. Requests have no body.
public final class OwnedRequests {
  private static final String CALL = "owner";

  /// No parameter has that name.
  private static final String NO_WAIT = "";

  /// A client's wait is asked for in parts, each shorter than a call between nodes may take.
  private static final Duration WAIT_PART = Duration.ofSeconds(30);

  private final Broadcasts calls;
  private final Broadcast owner;
  private final Map<String, Api> apis = new ConcurrentHashMap<>();

  public OwnedRequests(Broadcasts calls) {
    this.calls = calls;
    this.owner = calls.call(CALL, this::here);
  }

  /// An API that other nodes ask, too, and that waits for nothing.
  ///
  /// @param name the same on all nodes
  /// @param nodeOf the node that a request is about; null for this one, or when it does not say
  public Api about(String name, Api here, Function<ApiRequest, @Nullable String> nodeOf) {
    return about(name, here, nodeOf, NO_WAIT, _ -> false);
  }

  /// The same of one that waits.
  ///
  /// @param nodeOf the node that holds what a request is about; null when the request does not say
  /// @param wait the parameter that says how long its client waits
  /// @param isUnfinished whether an answer tells of what is still waited for; so does a refusal of
  ///   the type [ErrorType#TIMEOUT]
  public Api about(
      String name,
      Api here,
      Function<ApiRequest, @Nullable String> nodeOf,
      String wait,
      Predicate<Answer> isUnfinished) {
    apis.put(name, here);
    return request -> {
      String node = nodeOf.apply(request);
      if (node == null
          || node.equals(calls.self().id())
          || !calls.metadata().current().members().containsKey(node)) {
        return here.handle(request);
      }
      try {
        return ask(node, name, request, wait, isUnfinished);
      } catch (Refusal e) {
        if (Call.isUnsupported(e)) { // of an earlier build, which this one knew nothing of
          return here.handle(request);
        }
        throw e;
      }
    };
  }

  /// Asks the same of several nodes, side by side.
  public interface OfEach {
    /// @param wait for their answers, all of them
    /// @param isMeant this node may be among them
    /// @return what each told; [#body] reads it
    Broadcast.Seen ask(ApiRequest request, Duration wait, Predicate<Member> isMeant)
        throws InterruptedException;
  }

  /// An API about several nodes. Which these are is the business of who asks: the `node` of the
  /// path is not handed on, so that each tells of itself.
  ///
  /// @param name the same on all nodes
  /// @param here what one node tells
  public OfEach ofEach(String name, Api here) {
    apis.put(name, here);
    return (request, wait, isMeant) -> {
      ObjectNode question = question(name, request);
      question.withObject("/path_values").remove("node");
      return owner.ask(question, wait, isMeant);
    };
  }

  /// The body of what a node told.
  public static String body(JsonNode told) {
    return told.path("body").asText();
  }

  private Answer ask(
      String node, String name, ApiRequest request, String wait, Predicate<Answer> isUnfinished)
      throws Exception {
    ObjectNode question = question(name, request);
    Duration left = request.duration(wait, Duration.ZERO);
    boolean isFirst = true;
    while (left.compareTo(WAIT_PART) > 0) {
      try {
        Answer answer = asked(node, question, wait, WAIT_PART);
        if (!isUnfinished.test(answer)) {
          return answer;
        }
      } catch (Refusal e) {
        if (e.type() != ErrorType.TIMEOUT) {
          throw e;
        }
      }
      isFirst = false;
      left = request.isCancelled().getAsBoolean() ? Duration.ZERO : left.minus(WAIT_PART);
    }
    return asked(node, question, wait, isFirst ? null : left);
  }

  private static ObjectNode question(String name, ApiRequest request) {
    ObjectNode question =
        Json.object()
            .put("api", name)
            .put("verb", request.verb().name())
            .put("path", request.path());
    request.pathValues().forEach(question.putObject("path_values")::put);
    request.parameters().forEach(question.putObject("parameters")::put);
    return question;
  }

  private Answer asked(String node, ObjectNode question, String wait, @Nullable Duration part)
      throws Exception {
    if (part != null) { // else as the client says, if it does
      question.withObject("/parameters").put(wait, part.toMillis() + "ms");
    }
    JsonNode told;
    try {
      told = owner.askOne(node, question);
    } catch (IOException e) {
      throw new Refusal(
          ErrorType.NODE_CLOSED, "the node [" + node + "] that holds it does not answer", e);
    }
    String body = body(told);
    RequestMemory.add(body.length());
    int status = told.path("status").asInt();
    Answer answer =
        told.path("is_text").asBoolean()
            ? Answer.text(status, body)
            : Answer.of(status, out -> RawJson.write(out, body.getBytes(StandardCharsets.UTF_8)));
    for (JsonNode header : told.path("headers")) {
      answer = answer.with(header.path("name").asText(), header.path("value").asText());
    }
    return answer;
  }

  /// What another node asks this one.
  private JsonNode here(ObjectNode question) throws Exception {
    Api api = apis.get(question.path("api").asText());
    if (api == null) {
      throw Call.unsupported(question.path("api").asText());
    }
    Verb verb = Verb.valueOf(question.path("verb").asText());
    return answered(api, ForwardedRequest.of(verb, question.path("path").asText(), question));
  }

  /// @throws Refusal what a client of this node would hear, also when the answer can't be written
  private JsonNode answered(Api api, ApiRequest request) throws Exception {
    try {
      return RequestMemory.<JsonNode, Exception>during(
          calls.world().memory().request(),
          "<" + CALL + "_request>",
          () -> told(api.handle(request)));
    } catch (IOException e) {
      throw ErrorBody.refusal(e);
    }
  }

  private static JsonNode told(Answer answer) throws IOException {
    ObjectNode told = Json.object().put("status", answer.status()).put("body", text(answer));
    told.put("is_text", answer.content() instanceof Answer.Content.Text);
    ArrayNode headers = told.putArray("headers");
    for (Header header : answer.headers()) {
      headers.addObject().put("name", header.name()).put("value", header.value());
    }
    return told;
  }

  private static String text(Answer answer) throws IOException {
    if (answer.content() instanceof Answer.Content.Text(String text)) {
      return text;
    }
    if (!(answer.content() instanceof Answer.Content.Structured(Answer.Writer writer))) {
      throw new IOException("an answer for another node has no structure");
    }
    ByteSink bytes = new ByteSink();
    try (JsonGenerator out = Format.JSON.generator(bytes, false)) {
      writer.write(out);
    }
    RequestMemory.add(bytes.length());
    return new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8);
  }
}
