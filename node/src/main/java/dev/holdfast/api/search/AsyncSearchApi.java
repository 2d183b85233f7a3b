package dev.holdfast.api.search;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
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

  private static final String KEEP_ALIVE_DEFAULT = "5d";
  private static final Duration KEEP_ALIVE_MIN = Duration.ofSeconds(1);

  private final AsyncSearches searches;
  private final Api search;

  /// @param search runs a search and answers it
  public AsyncSearchApi(AsyncSearches searches, Api search) {
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
    AsyncSearches.Kept kept =
        searches.start(
            keepAlive,
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
    boolean isKept = !isDone || request.flag("keep_on_completion", false);
    if (isKept) {
      isDone = searches.leave(kept);
    } else {
      searches.forget(kept);
    }
    if (isDone && kept.failure instanceof Refusal refused && !isShards(refused)) {
      searches.forget(kept);
      throw refused;
    }
    return answer(kept, isKept);
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
    return answer(kept, true);
  }

  private static Answer answer(AsyncSearches.Kept kept, boolean showsId) {
    Throwable failure = kept.failure;
    int status = failure == null ? 200 : ErrorBody.refusal(failure).status();
    return Answer.of(
        status,
        out -> {
          out.writeStartObject();
          head(out, kept, showsId);
          Answer.Writer response = kept.response();
          if (response != null) {
            out.writeFieldName("response");
            response.write(out);
          } else if (failure != null) {
            out.writeFieldName("error");
            ErrorBody.write(out, failure, false);
          }
          out.writeEndObject();
        });
  }

  private static void head(JsonGenerator out, AsyncSearches.Kept kept, boolean showsId)
      throws IOException {
    if (showsId) {
      out.writeStringField("id", kept.id);
    }
    boolean isRunning = kept.isRunning();
    out.writeBooleanField("is_partial", isRunning || kept.failure != null);
    out.writeBooleanField("is_running", isRunning);
    out.writeNumberField("start_time_in_millis", kept.startMillis);
    out.writeNumberField("expiration_time_in_millis", kept.expiresMillis);
    if (!isRunning) {
      out.writeNumberField("completion_time_in_millis", kept.endMillis);
    }
  }

  private Answer status(ApiRequest request) {
    AsyncSearches.Kept kept = searches.find(request.required("id"));
    if (request.has("keep_alive")) {
      searches.keep(kept, TimeValue.parse("keep_alive", request.required("keep_alive")));
    }
    return Answer.of(out -> {
      out.writeStartObject();
      head(out, kept, true);
      if (!kept.isRunning()) {
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
