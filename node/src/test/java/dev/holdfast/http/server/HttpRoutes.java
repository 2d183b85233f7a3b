package dev.holdfast.http.server;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.Routes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;

/// One route for each thing that the edge does: `_echo` says what it was asked, the others are
/// named for what comes back.
final class HttpRoutes {
  private static final Api ECHO =
      request ->
          Answer.of(out -> {
            out.writeStartObject();
            out.writeNumberField("length", request.body().length());
            out.writeFieldName("body");
            if (request.body().isEmpty()) {
              out.writeNull();
            } else {
              out.writeRawValue(
                  new String(
                      request.body().bytes(), 0, request.body().length(), StandardCharsets.UTF_8));
            }
            out.writeObjectFieldStart("values");
            for (String name : request.pathValues().keySet()) {
              out.writeStringField(name, request.pathValues().get(name));
            }
            out.writeEndObject();
            out.writeEndObject();
          });

  private HttpRoutes() {}

  static Routes all() {
    return new Routes()
        .on("GET|POST", "/{index}/_echo", BodyRule.OPTIONAL, ECHO, "routing", "refresh")
        .on(
            "POST",
            "/_lines",
            BodyRule.LINES,
            r -> Answer.of(out -> out.writeNumber(r.body().length())))
        .on("GET", "/_none", BodyRule.NONE, r -> Answer.text(200, "ok"))
        .on(
            "GET|HEAD",
            "/_missing",
            BodyRule.NONE,
            r -> {
              throw Refusal.indexNotFound("books");
            })
        .on(
            "GET",
            "/_absent",
            BodyRule.NONE,
            r ->
                Answer.of(
                    404,
                    out -> {
                      out.writeStartObject();
                      out.writeStringField("_id", "1");
                      out.writeBooleanField("found", false);
                      out.writeEndObject();
                    }))
        .on(
            "GET",
            "/_wrapped",
            BodyRule.NONE,
            r -> {
              throw Refusal.around(
                  ErrorType.SEARCH_PHASE_EXECUTION,
                  "all shards failed",
                  new Refusal(ErrorType.QUERY_SHARD, "no such field"));
            })
        .on(
            "GET",
            "/_broken",
            BodyRule.NONE,
            r -> {
              throw new IllegalStateException("a bug");
            })
        .on(
            "GET",
            "/_unloaded",
            BodyRule.NONE,
            r -> {
              throw new NoClassDefFoundError("gone");
            })
        .on(
            "GET|HEAD",
            "/_big",
            BodyRule.NONE,
            r ->
                Answer.of(out -> {
                  out.writeStartArray();
                  for (int i = 0; i < 5000; i++) {
                    out.writeNumber(i);
                  }
                  out.writeEndArray();
                }));
  }
}
