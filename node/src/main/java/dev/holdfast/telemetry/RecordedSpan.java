package dev.holdfast.telemetry;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A span of OpenTelemetry. The parts of one request are bounded on each node.
///
/// @param parts that the request may still have here
record RecordedSpan(io.opentelemetry.api.trace.Span span, Tracer tracer, AtomicInteger parts)
    implements Span {
  /// Spans of one request on one node.
  static final int PARTS_MAX = 1_000;

  @Override
  public @Nullable Span begin(String name, Kind kind) {
    int left = parts.decrementAndGet();
    if (left < 0) {
      if (left == -1) {
        span.setAttribute("holdfast.spans_left_out", true);
      }
      return null;
    }
    return new RecordedSpan(
        tracer
            .spanBuilder(name)
            .setSpanKind(kind(kind))
            .setParent(Context.root().with(span))
            .startSpan(),
        tracer,
        parts);
  }

  static SpanKind kind(Kind kind) {
    return switch (kind) {
      case INTERNAL -> SpanKind.INTERNAL;
      case CLIENT -> SpanKind.CLIENT;
      case SERVER -> SpanKind.SERVER;
    };
  }

  @Override
  public void alsoFor(Span other) {
    if (other instanceof RecordedSpan recorded) {
      span.addLink(recorded.span.getSpanContext());
    }
  }

  @Override
  public void rename(String name) {
    span.updateName(name);
  }

  @Override
  public void note(String name, String value) {
    span.setAttribute(name, value);
  }

  @Override
  public void note(String name, long value) {
    span.setAttribute(name, value);
  }

  /// What is refused is in order: its kind is told, no stack.
  @Override
  public void failed(Throwable why) {
    span.setStatus(StatusCode.ERROR, String.valueOf(why.getMessage()));
    span.setAttribute(
        "error.type",
        why instanceof Refusal refusal ? refusal.type().type() : why.getClass().getName());
  }

  @Override
  public void failed(String type) {
    span.setStatus(StatusCode.ERROR);
    span.setAttribute("error.type", type);
  }

  @Override
  public void end() {
    span.end();
  }

  @Override
  public boolean isEnded() {
    return !span.isRecording();
  }

  @Override
  public void tell(BiConsumer<String, String> headers) {
    W3CTraceContextPropagator.getInstance()
        .inject(
            Context.root().with(span),
            headers,
            (carrier, name, value) -> {
              if (carrier != null) {
                carrier.accept(name, value);
              }
            });
  }
}
