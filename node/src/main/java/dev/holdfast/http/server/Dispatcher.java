package dev.holdfast.http.server;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.ByteSink;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.Format;
import dev.holdfast.http.Header;
import dev.holdfast.http.LargeBody;
import dev.holdfast.http.MissingFeatures;
import dev.holdfast.http.ParameterKinds;
import dev.holdfast.http.ParameterWarnings;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestParameters;
import dev.holdfast.http.Routes;
import dev.holdfast.http.Verb;
import dev.holdfast.http.spool.RequestFiles;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.Suggestions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// From a request to its answer, without any network: finds the route, checks the request against
/// it, calls the API, renders. Whatever fails becomes an error in Elasticsearch's shape here.
final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final Routes routes;
  private final HttpLimits limits;
  private final Clock clock;
  private final ForeignPages pages;

  Dispatcher(Routes routes, HttpLimits limits, Clock clock) {
    this.routes = routes;
    this.limits = limits;
    this.clock = clock;
    this.pages = new ForeignPages(limits.pages());
  }

  private Dispatcher(Routes routes, HttpLimits limits, Clock clock, ForeignPages pages) {
    this.routes = routes;
    this.limits = limits;
    this.clock = clock;
    this.pages = pages;
  }

  /// The same with another table of APIs.
  Dispatcher with(Routes others) {
    return new Dispatcher(others, limits, clock, pages);
  }

  OutgoingResponse dispatch(IncomingRequest request) {
    return answered(request).with(pages.told(request.method(), request.headers()));
  }

  private OutgoingResponse answered(IncomingRequest request) {
    ContentNegotiation negotiation = ContentNegotiation.FALLBACK;
    Map<String, String> parameters = new LinkedHashMap<>();
    Answer answer;
    try {
      RequestTarget target = RequestTarget.parse(request.target());
      pages.refuse(request.method(), request.headers());
      parameters = target.parameters();
      Body body = body(request, parameters);
      negotiation = ContentNegotiation.of(request.headers(), parameters, !body.isEmpty());
      Answered answered = answer(request, target, body, negotiation);
      RequestFiles files = body.large == null ? null : request.files();
      return rendered(request, negotiation, parameters, answered.answer(), files)
          .with(answered.warnings());
    } catch (ContentNegotiation.Unsupported e) {
      answer = ErrorBody.plain(406, e.getMessage() == null ? "" : e.getMessage());
    } catch (Exception | Error e) {
      answer = failed(request, parameters, e);
    }
    return ResponseRendering.error(request, negotiation, parameters, answer);
  }

  /// Large answers are rendered while the client is there to read them.
  private OutgoingResponse rendered(
      IncomingRequest request,
      ContentNegotiation negotiation,
      Map<String, String> parameters,
      Answer answer,
      @Nullable RequestFiles files)
      throws IOException {
    return StopSignal.of(request.isCancelled(), clock)
        .sharing()
        .<OutgoingResponse, IOException>during(
            () -> ResponseRendering.render(request, negotiation, parameters, answer, files));
  }

  private static Answer failed(
      IncomingRequest request, Map<String, String> parameters, Throwable failure) {
    if (ErrorBody.isUnexpected(failure) && !request.isCancelled().getAsBoolean()) {
      LOG.error(
          "request failed [method={}, target={}]", request.method(), request.target(), failure);
    }
    String trace = parameters.get("error_trace");
    return ErrorBody.answer(failure, trace != null && !trace.equals("false"));
  }

  /// An answer, and what its request said in vain: known when the answer has been rendered.
  private record Answered(Answer answer, Supplier<List<Header>> late) {
    static Answered of(Answer answer) {
      return new Answered(answer, List::of);
    }

    List<Header> warnings() {
      return answer.status() < 300 ? late.get() : List.of();
    }
  }

  private Answered answer(
      IncomingRequest request, RequestTarget target, Body body, ContentNegotiation negotiation)
      throws Exception {
    Verb verb = Verb.of(request.method());
    List<String> segments = routes.named(target.segments());
    List<Verb> allowed = routes.allowed(segments);
    if (verb == Verb.OPTIONS) {
      return Answered.of(allow(Answer.text(200, ""), allowed));
    }
    Routes.Match match = verb == null ? null : routes.match(verb, segments);
    String missing = MissingFeatures.reason(segments, match);
    if (missing != null) {
      return Answered.of(noHandler(request, ": " + missing));
    }
    if (verb == null || match == null) {
      return Answered.of(noRoute(request, allowed));
    }
    Routes.Route route = match.route();
    RequestSpan.routed(request.method(), route);
    checkParameters(target, route);
    RequestParameters given =
        new RequestParameters(ParameterKinds.said(route.segments(), target.parameters()));
    if (route.body() == BodyRule.LINES
        && (negotiation.body() == Format.YAML || negotiation.body() == Format.CBOR)) {
      throw new ContentNegotiation.Unsupported(
          "Content-Type header [" + request.headers().get("content-type") + "] is not supported");
    }
    ApiRequest apiRequest =
        new ApiRequest(
            verb,
            target.path(),
            match.pathValues(),
            given,
            request.headers(),
            asJson(body.whole, negotiation),
            body.large,
            negotiation.accepts(),
            request.isCancelled());
    checkBody(route, apiRequest);
    try {
      Answer answer = route.api().handle(apiRequest);
      return new Answered(answer, () -> ParameterWarnings.of(verb, route, given));
    } catch (Refusal e) {
      throw e.located(apiRequest.body().bytes());
    }
  }

  private static Answer noRoute(IncomingRequest request, List<Verb> allowed) {
    if (allowed.isEmpty()) {
      return noHandler(request, "");
    }
    return allow(
        ErrorBody.plain(
            405,
            "Incorrect HTTP method for uri ["
                + request.target()
                + "] and method ["
                + request.method()
                + "], allowed: "
                + allowed),
        allowed);
  }

  private static Answer noHandler(IncomingRequest request, String why) {
    return ErrorBody.noHandler(
        "no handler found for uri ["
            + request.target()
            + "] and method ["
            + request.method()
            + "]"
            + why);
  }

  private static Answer allow(Answer answer, List<Verb> allowed) {
    String verbs = allowed.stream().map(Verb::name).collect(Collectors.joining(","));
    return allowed.isEmpty() ? answer : answer.with("Allow", verbs);
  }

  /// A body in memory, or one too large for it.
  private record Body(RequestBody whole, @Nullable LargeBody large) {
    Body(RequestBody whole) {
      this(whole, null);
    }

    boolean isEmpty() {
      return whole.isEmpty() && large == null;
    }
  }

  /// The body, decompressed; or the `source` parameter of clients that cannot send one.
  private Body body(IncomingRequest request, Map<String, String> parameters) {
    String named = request.headers().get("content-encoding");
    String encoding = "identity".equalsIgnoreCase(named) ? null : named;
    RequestFiles files = request.files();
    SpoolFile spooled = request.spooled();
    if (spooled != null && files != null) {
      return large(request, spooled::read, encoding, files);
    }
    String source = parameters.get("source");
    if (request.body().isEmpty()) {
      return new Body(source == null ? RequestBody.EMPTY : ofParameter(request, source));
    }
    long bytesMax = limits.contentLengthMax().bytes();
    if (encoding == null) {
      return new Body(request.body());
    }
    if (files == null) {
      return new Body(
          BodyCompression.decode(encoding, request.body(), bytesMax, request.reservation()));
    }
    RequestBody decoded =
        BodyCompression.decode(
            encoding, request.body(), bytesMax, files.memoryBytes(), request.reservation());
    return decoded == null
        ? large(request, request.body()::stream, encoding, files)
        : new Body(decoded);
  }

  private Body large(
      IncomingRequest request,
      LineStream.Source source,
      @Nullable String encoding,
      RequestFiles files) {
    long bytesMax = limits.contentLengthMax().bytes();
    return new Body(
        RequestBody.EMPTY,
        new LineStream(source, encoding, bytesMax, request.reservation(), files));
  }

  /// For clients that can send no body with GET. Any page can send such a URL by POST, without the
  /// browser asking first.
  private static RequestBody ofParameter(IncomingRequest request, String source) {
    if (!ForeignPages.isRead(request.method())) {
      throw Refusal.badArgument(
          "the parameter [source] is read with GET only: send it as the body of this "
              + request.method());
    }
    return RequestBody.of(source.getBytes(StandardCharsets.UTF_8));
  }

  private static void checkBody(Routes.Route route, ApiRequest apiRequest) {
    boolean isEmpty = apiRequest.body().isEmpty() && apiRequest.large() == null;
    switch (route.body()) {
      case OPTIONAL -> {}
      case NONE -> {
        if (!isEmpty) {
          throw Refusal.badArgument(
              "request ["
                  + apiRequest.verb()
                  + " "
                  + apiRequest.path()
                  + "] does not support having a body");
        }
      }
      case REQUIRED, LINES -> {
        if (isEmpty) {
          throw new Refusal(ErrorType.PARSE, "request body is required");
        }
      }
    }
  }

  private static void checkParameters(RequestTarget target, Routes.Route route) {
    List<String> unknown = new ArrayList<>();
    for (String name : target.parameters().keySet()) {
      if (!route.parameters().contains(name) && !Routes.COMMON.contains(name)) {
        unknown.add(name);
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    Set<String> known = new TreeSet<>(route.parameters());
    known.addAll(Routes.COMMON);
    StringBuilder message = new StringBuilder("request [");
    message.append(target.path()).append("] contains unrecognized parameter");
    message.append(unknown.size() > 1 ? "s: " : ": ");
    message.append(
        unknown.stream()
            .sorted()
            .map(name -> "[" + name + "]" + didYouMean(Suggestions.near(name, known)))
            .collect(Collectors.joining(", ")));
    throw Refusal.badArgument(message.toString());
  }

  private static String didYouMean(List<String> near) {
    return switch (near.size()) {
      case 0 -> "";
      case 1 -> " -> did you mean [" + near.getFirst() + "]?";
      default -> " -> did you mean any of " + near + "?";
    };
  }

  /// @throws Refusal 413 when it becomes too long: other formats name what came before in a few
  ///   bytes
  private RequestBody asJson(RequestBody body, ContentNegotiation negotiation) throws IOException {
    if (body.isEmpty() || negotiation.body() == Format.JSON) {
      return body;
    }
    long bytesMax = limits.contentLengthMax().bytes();
    ByteSink sink = new ByteSink();
    try (JsonParser parser =
            negotiation.body().mapper().createParser(body.bytes(), body.offset(), body.length());
        JsonGenerator out = Json.MAPPER.createGenerator(sink)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        out.copyCurrentEventExact(parser);
        if (sink.length() > bytesMax) {
          throw BodyCompression.tooLong(sink.length(), bytesMax);
        }
      }
    } catch (JsonProcessingException e) {
      throw new Refusal(ErrorType.X_CONTENT_PARSE, Json.message(e), e);
    }
    return new RequestBody(sink.array(), 0, sink.length());
  }

  /// The value of `filter_path`, taken apart.
  static @Nullable List<String> filterPaths(Map<String, String> parameters) {
    String paths = parameters.get("filter_path");
    if (paths == null || paths.isBlank()) {
      return null;
    }
    List<String> list = new ArrayList<>();
    for (String path : paths.split(",", -1)) {
      if (!path.isBlank()) {
        list.add(path.trim());
      }
    }
    return list;
  }
}
