package dev.holdfast.http.server;

import dev.holdfast.http.Header;
import dev.holdfast.http.Routes;
import dev.holdfast.world.trace.Cause;
import dev.holdfast.world.trace.Span;
import java.util.ArrayList;
import java.util.List;

/// What a trace shows of a request of a client, by the names that OpenTelemetry gives to HTTP.
final class RequestSpan {
  private RequestSpan() {}

  /// The route is known: the span is called by it, not by what stands in its place.
  static void routed(String method, Routes.Route route) {
    Span span = Cause.current().span();
    if (span != null) {
      String path = "/" + String.join("/", route.segments());
      span.rename(method + " " + path);
      span.note("http.route", path);
    }
  }

  /// The request has its answer, which tells the client where its trace goes on.
  static OutgoingResponse answered(
      Cause cause, IncomingRequest request, OutgoingResponse outgoing) {
    Span span = cause.span();
    if (span == null) {
      return outgoing;
    }
    String target = request.target();
    int query = target.indexOf('?');
    span.note("http.request.method", request.method());
    span.note("url.path", query < 0 ? target : target.substring(0, query));
    span.note("http.response.status_code", outgoing.status());
    span.note("http.request.body.size", request.body().length());
    if (cause.opaqueId() != null) {
      span.note("http.request.header.x-opaque-id", cause.opaqueId());
    }
    if (outgoing.status() >= 500) {
      span.failed(Integer.toString(outgoing.status()));
    }
    List<Header> told = new ArrayList<>();
    span.tell((name, value) -> {
      if (name.equals(Cause.TRACEPARENT)) {
        told.add(new Header("traceresponse", value));
      }
    });
    return outgoing.with(told);
  }
}
