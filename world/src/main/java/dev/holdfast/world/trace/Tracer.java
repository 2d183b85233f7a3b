package dev.holdfast.world.trace;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where the work of a process begins: reads what its cause is from the headers it came with.
public interface Tracer {
  /// Records nothing. What clients call their requests and traces is known all the same.
  Tracer OFF = (name, headers, isCall) -> named(headers);

  /// @param name of what begins
  /// @param headers that it came with
  /// @param isCall of another node: never the beginning of a trace
  /// @return with a span that has begun, where one is recorded: [Cause#serve] ends it
  Cause begin(String name, Headers headers, boolean isCall);

  /// The headers of a request.
  @FunctionalInterface
  interface Headers {
    /// By its lower-case name; null for none.
    @Nullable String get(String name);
  }

  /// What the headers say, without any recording.
  static Cause named(Headers headers) {
    String opaqueId = headers.get(Cause.OPAQUE_ID);
    String traceparent = headers.get(Cause.TRACEPARENT);
    String traceId = traceparent == null ? null : traceId(traceparent);
    return opaqueId == null && traceId == null
        ? Cause.NONE
        : new Cause(opaqueId, traceId, traceId == null ? null : traceparent, null);
  }

  /// The trace that a W3C `traceparent` names; null when it is none.
  static @Nullable String traceId(String traceparent) {
    return W3c.PARENT.matcher(traceparent).matches() && !traceparent.startsWith(W3c.NO_TRACE, 3)
        ? traceparent.substring(3, 35)
        : null;
  }

  /// The form of the header: version, trace, span, flags.
  final class W3c {
    private static final Pattern PARENT =
        Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final String NO_TRACE = "0".repeat(32);

    private W3c() {}
  }
}
