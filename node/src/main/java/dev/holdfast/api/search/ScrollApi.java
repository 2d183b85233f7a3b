package dev.holdfast.api.search;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `GET|POST /_search/scroll`: the next page; `DELETE`: the end. What the body says wins over the
/// URL.
public final class ScrollApi {
  /// Parameters of the next page.
  public static final List<String> PARAMETERS =
      List.of("scroll_id", "scroll", "rest_total_hits_as_int", "typed_keys");

  private final Scrolls scrolls;

  public ScrollApi(Scrolls scrolls) {
    this.scrolls = scrolls;
  }

  public Api next() {
    return this::next;
  }

  public Api clear() {
    return this::clear;
  }

  private Answer next(ApiRequest request) throws Exception {
    JsonObject body = JsonObject.ofValues("scroll", request.body().object());
    String given = body.string("scroll_id");
    String id = given == null ? request.text("scroll_id") : given;
    String keepAlive = body.string("scroll", request.text("scroll", "0"));
    requireNoMore(body);
    if (id == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: scrollId is missing;");
    }
    // Without a keep alive the deadline stays nearly as it was: long enough for this page.
    Duration kept =
        keepAlive.equals("0") ? Duration.ofMinutes(1) : Scrolls.keepAlive("scroll", keepAlive);
    Scrolls.Page page = scrolls.next(id, kept, request.isCancelled());
    return answer(page, request);
  }

  private static void requireNoMore(JsonObject body) {
    if (!body.rest().isEmpty()) {
      throw Refusal.badArgument(
          "Unknown parameter ["
              + body.rest().getFirst()
              + "] in request body or parameter is of the wrong type");
    }
  }

  static Answer answer(Scrolls.Page page, ApiRequest request) {
    boolean totalAsInteger = request.flag("rest_total_hits_as_int", false);
    boolean typedKeys = request.flag("typed_keys", false);
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("_scroll_id", page.scrollId());
      page.response().write(out, totalAsInteger, typedKeys);
      out.writeEndObject();
    });
  }

  private Answer clear(ApiRequest request) {
    List<String> ids = new ArrayList<>(request.list("scroll_id"));
    if (!request.body().isEmpty()) {
      JsonObject body = JsonObject.ofValues("clear_scroll", request.body().object());
      ids = body.strings("scroll_id");
      requireNoMore(body);
    }
    if (ids.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: no scroll ids specified;");
    }
    int all = ids.equals(List.of("_all")) ? scrolls.clearAll() : scrolls.clear(ids);
    return Answer.of(
        all > 0 ? 200 : 404,
        out -> {
          out.writeStartObject();
          out.writeBooleanField("succeeded", true);
          out.writeNumberField("num_freed", all);
          out.writeEndObject();
        });
  }
}
