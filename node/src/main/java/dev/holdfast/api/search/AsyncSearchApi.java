package dev.holdfast.api.search;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.Header;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `POST /_async_search`, `GET` and `DELETE /_async_search/{id}`, `GET /_async_search/status/{id}`:
/// a search that its client comes back for.
public final class AsyncSearchApi {
  private static final List<String> OWN =
      List.of("keep_alive", "keep_on_completion", "wait_for_completion_timeout");

  /// Parameters of a submission.
  public static final List<String> PARAMETERS = parameters();

  private static final String RUNNING = "X-Elasticsearch-Async-Is-Running";
  private static final String IS_RUNNING = "?1";
  private static final String KEEP_ALIVE_DEFAULT = "5d";
  private static final Duration KEEP_ALIVE_MIN = Duration.ofSeconds(1);

  private final Metadata metadata;
  private final AsyncSearches searches;
  private final Api search;

  /// @param search runs a search and answers it
  public AsyncSearchApi(Metadata metadata, AsyncSearches searches, Api search) {
    this.metadata = metadata;
    this.searches = searches;
    this.search = search;
  }

  private static List<String> parameters() {
    List<String> all = new ArrayList<>(SearchBody.PARAMETERS);
    all.addAll(OWN);
    return List.copyOf(all);
  }

  public Api submit() {
    return this::submit;
  }

  public Api get() {
    return this::get;
  }

  public Api status() {
    return this::status;
  }

  public Api delete() {
    return this::delete;
  }

  private Answer submit(ApiRequest request) throws InterruptedException {
    Duration keepAlive =
        TimeValue.parse("keep_alive", request.text("keep_alive", KEEP_ALIVE_DEFAULT));
    if (keepAlive.compareTo(KEEP_ALIVE_MIN) < 0) {
      throw Refusal.badArgument("[keep_alive] must be greater or equals than 1 second");
    }
    Duration wait =
        TimeValue.parse(
            "wait_for_completion_timeout", request.text("wait_for_completion_timeout", "1s"));
    boolean keepsAll = request.flag("keep_on_completion", false);
    AsyncSearches.Kept kept =
        searches.start(
            keepAlive,
            shards(request),
            request.body().length(),
            one ->
                search.handle(
                    new ApiRequest(
                        request.verb(),
                        request.path(),
                        request.pathValues(),
                        withoutOwn(request.parameters()),
                        request.headers(),
                        request.body(),
                        request.accepts(),
                        () -> one.isCancelled)));
    boolean isDone = searches.await(kept, wait, request.isCancelled());
    boolean isKept = !isDone || keepsAll;
    if (isKept) {
      isDone = searches.leave(kept);
    } else {
      searches.forget(kept);
    }
    if (isDone && kept.failure instanceof Refusal refused && !isShards(refused)) {
      searches.forget(kept);
      throw refused;
    }
    return answer(kept, isKept, request.human());
  }

  /// How many shards will be searched, as far as the URL says: a point in time in the body is not
  /// looked at, and what is wrong with the names the search tells.
  private int shards(ApiRequest request) {
    if (!request.has("index") && !request.body().isEmpty()) {
      return 0;
    }
    try {
      IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
      return IndexExpression.resolve(metadata.current(), request.text("index", ""), options)
          .stream()
          .mapToInt(IndexMetadata::shards)
          .sum();
    } catch (Refusal e) {
      return 0;
    }
  }

  /// Whether shards failed, which is an answer; what could not be read never was a search.
  private static boolean isShards(Refusal refusal) {
    return refusal.type() == ErrorType.SEARCH_PHASE_EXECUTION;
  }

  private static Map<String, String> withoutOwn(Map<String, String> parameters) {
    Map<String, String> left = new LinkedHashMap<>(parameters);
    left.keySet().removeAll(OWN);
    return left;
  }

  private Answer get(ApiRequest request) throws InterruptedException {
    AsyncSearches.Kept kept = searches.find(request.required("id"));
    if (request.has("keep_alive")) {
      searches.keep(kept, TimeValue.parse("keep_alive", request.required("keep_alive")));
    }
    boolean _ =
        searches.await(
            kept,
            TimeValue.parse(
                "wait_for_completion_timeout", request.text("wait_for_completion_timeout", "0")),
            request.isCancelled());
    return answer(kept, true, request.human());
  }

  /// Whether an answer tells of a search that runs.
  public static boolean isRunning(Answer answer) {
    return answer.headers().contains(new Header(RUNNING, IS_RUNNING));
  }

  /// Clients that pass the body on read the headers.
  private Answer answer(AsyncSearches.Kept kept, boolean showsId, boolean isHuman) {
    boolean isRunning = kept.isRunning();
    Throwable failure = kept.failure;
    int status = failure == null ? 200 : ErrorBody.refusal(failure).status();
    Answer answer =
        Answer.of(
                status,
                out -> {
                  out.writeStartObject();
                  head(out, kept, showsId, isRunning, isHuman);
                  Answer.Writer response = isRunning ? null : kept.response();
                  if (response != null) {
                    out.writeFieldName("response");
                    response.write(out);
                  } else if (failure == null || isShards(ErrorBody.refusal(failure))) {
                    out.writeFieldName("response");
                    writeNothingFound(out, kept);
                  }
                  if (failure != null) {
                    out.writeFieldName("error");
                    ErrorBody.write(out, failure, false);
                  }
                  out.writeEndObject();
                })
            .with(RUNNING, isRunning ? IS_RUNNING : "?0");
    return showsId ? answer.with("X-Elasticsearch-Async-Id", kept.id) : answer;
  }

  /// An answer without hits: typed clients need one, and count its shards.
  private void writeNothingFound(JsonGenerator out, AsyncSearches.Kept kept) throws IOException {
    out.writeStartObject();
    out.writeNumberField("took", searches.tookMillis(kept));
    out.writeBooleanField("timed_out", false);
    out.writeBooleanField("terminated_early", false);
    out.writeNumberField("num_reduce_phases", 0);
    out.writeFieldName("_shards");
    writeShardCounts(out, kept);
    out.writeObjectFieldStart("hits");
    out.writeObjectFieldStart("total");
    out.writeNumberField("value", 0);
    out.writeStringField("relation", "gte");
    out.writeEndObject();
    out.writeNullField("max_score");
    out.writeArrayFieldStart("hits");
    out.writeEndArray();
    out.writeEndObject();
    out.writeEndObject();
  }

  /// Writes how many shards there are, and what became of them.
  private static void writeShards(JsonGenerator out, AsyncSearches.Kept kept) throws IOException {
    StoredResponse stored = kept.stored();
    JsonNode shards = stored == null ? null : stored.member("_shards");
    if (shards == null || !shards.isObject()) {
      writeShardCounts(out, kept);
      return;
    }
    out.writeStartObject();
    for (String count : List.of("total", "successful", "skipped", "failed")) {
      out.writeNumberField(count, shards.path(count).asInt());
    }
    out.writeEndObject();
  }

  /// The same of a search that has no answer.
  private static void writeShardCounts(JsonGenerator out, AsyncSearches.Kept kept)
      throws IOException {
    boolean hasFailed = kept.failure != null;
    out.writeStartObject();
    out.writeNumberField("total", kept.shards);
    out.writeNumberField("successful", kept.isRunning() || hasFailed ? 0 : kept.shards);
    out.writeNumberField("skipped", 0);
    out.writeNumberField("failed", hasFailed ? kept.shards : 0);
    out.writeEndObject();
  }

  private static void head(
      JsonGenerator out,
      AsyncSearches.Kept kept,
      boolean showsId,
      boolean isRunning,
      boolean isHuman)
      throws IOException {
    if (showsId) {
      out.writeStringField("id", kept.id);
    }
    out.writeBooleanField("is_partial", isRunning || kept.failure != null);
    out.writeBooleanField("is_running", isRunning);
    time(out, "start_time", kept.startMillis, isHuman);
    time(out, "expiration_time", kept.expiresMillis, isHuman);
    if (!isRunning) {
      time(out, "completion_time", kept.endMillis, isHuman);
    }
  }

  private static void time(JsonGenerator out, String name, long epochMillis, boolean isHuman)
      throws IOException {
    if (isHuman) {
      out.writeStringField(name, DateFormat.DEFAULT.format(epochMillis, null));
    }
    out.writeNumberField(name + "_in_millis", epochMillis);
  }

  private Answer status(ApiRequest request) {
    AsyncSearches.Kept kept = searches.find(request.required("id"));
    if (request.has("keep_alive")) {
      searches.keep(kept, TimeValue.parse("keep_alive", request.required("keep_alive")));
    }
    boolean isRunning = kept.isRunning();
    boolean isHuman = request.human();
    return Answer.of(out -> {
      out.writeStartObject();
      head(out, kept, true, isRunning, isHuman);
      out.writeFieldName("_shards");
      writeShards(out, kept);
      if (!isRunning) {
        Throwable failure = kept.failure;
        out.writeNumberField(
            "completion_status", failure == null ? 200 : ErrorBody.refusal(failure).status());
      }
      out.writeEndObject();
    });
  }

  private Answer delete(ApiRequest request) {
    searches.forget(searches.find(request.required("id")));
    return Answer.acknowledged();
  }
}
