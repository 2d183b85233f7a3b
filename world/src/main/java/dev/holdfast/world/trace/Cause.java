package dev.holdfast.world.trace;

import dev.holdfast.world.Tasks;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The request that a thread works for. It holds for all that the thread does within [#during];
/// other threads are handed it by [#handedOn]. Where no request is known, or it says nothing of
/// itself and is not traced, nothing is bound, and asking costs one comparison.
///
/// @param opaqueId what its client calls it (`X-Opaque-Id`)
/// @param traceId of the trace that it is part of, recorded or not
/// @param traceparent as the client gave it, for other nodes; null when there is a span
/// @param span what is done right now; null when the trace is not recorded here
/// @param isOver whether it has its answer: threads that it left behind work for nobody
public record Cause(
    @Nullable String opaqueId,
    @Nullable String traceId,
    @Nullable String traceparent,
    @Nullable Span span,
    AtomicBoolean isOver) {
  /// No request is known.
  public static final Cause NONE = new Cause(null, null, null, null);

  public static final String OPAQUE_ID = "x-opaque-id";
  public static final String TRACEPARENT = "traceparent";

  /// Longer names are cut: they stand in each line that is logged.
  private static final int OPAQUE_ID_MAX = 1_000;

  private static final ScopedValue<Cause> BOUND = ScopedValue.newInstance();

  public Cause {
    opaqueId = opaqueId == null ? null : shown(opaqueId);
  }

  /// One that begins.
  public Cause(
      @Nullable String opaqueId,
      @Nullable String traceId,
      @Nullable String traceparent,
      @Nullable Span span) {
    this(opaqueId, traceId, traceparent, span, new AtomicBoolean());
  }

  /// As it may stand in a line of a log and in a header.
  private static String shown(String id) {
    String cut = id.length() > OPAQUE_ID_MAX ? id.substring(0, OPAQUE_ID_MAX) : id;
    return cut.chars().allMatch(c -> c >= ' ' && c <= '~') ? cut : cut.replaceAll("[^ -~]", "?");
  }

  /// Work that may fail in two ways.
  @FunctionalInterface
  public interface Work<T, X extends Exception, Y extends Exception> {
    T run() throws X, Y;
  }

  /// What this thread works for.
  public static Cause current() {
    Cause bound = BOUND.isBound() ? BOUND.get() : NONE;
    return bound.isOver.get() ? NONE : bound;
  }

  /// Whether nothing is known.
  public boolean isNone() {
    return opaqueId == null && traceId == null && traceparent == null && span == null;
  }

  /// Does something for this request.
  public <T, X extends Throwable> T during(ScopedValue.CallableOp<? extends T, X> work) throws X {
    return isNone() && !BOUND.isBound()
        ? work.call()
        : ScopedValue.where(BOUND, this).<T, X>call(work);
  }

  /// Does something that a trace shows by this name, where one is recorded.
  public static <T, X extends Exception, Y extends Exception> T span(
      String name, Work<T, X, Y> work) throws X, Y {
    return span(name, Span.Kind.INTERNAL, work);
  }

  /// The same, which waits for another process.
  public static <T, X extends Exception, Y extends Exception> T call(
      String name, Work<T, X, Y> work) throws X, Y {
    return span(name, Span.Kind.CLIENT, work);
  }

  private static <T, X extends Exception, Y extends Exception> T span(
      String name, Span.Kind kind, Work<T, X, Y> work) throws X, Y {
    Cause now = current();
    Span part = now.span == null || now.span.isEnded() ? null : now.span.begin(name, kind);
    return part == null ? work.run() : now.with(part).within(part, work);
  }

  /// Does all that was asked for, and ends the span that was begun for it.
  public <T, X extends Exception, Y extends Exception> T serve(Work<T, X, Y> work) throws X, Y {
    if (isNone()) {
      return work.run();
    }
    try {
      return span == null ? this.<T, Exception>during(work::run) : this.<T, X, Y>within(span, work);
    } catch (Throwable e) {
      throw Cause.<X>thrown(e);
    } finally {
      isOver.set(true);
    }
  }

  /// Does something as a span that was begun before, and ends it.
  public <T, X extends Exception, Y extends Exception> T within(Span begun, Work<T, X, Y> work)
      throws X, Y {
    try {
      return ScopedValue.where(BOUND, with(begun)).<T, Exception>call(work::run);
    } catch (Throwable e) {
      begun.failed(e);
      throw Cause.<X>thrown(e);
    } finally {
      begun.end();
    }
  }

  /// The compiler knows that work throws X or Y; of a caught failure it does not.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X thrown(Throwable failure) throws X {
    throw (X) failure;
  }

  private Cause with(Span other) {
    return new Cause(opaqueId, traceId, null, other, isOver);
  }

  /// Tells something of the span that this thread works in.
  public static void note(String name, String value) {
    Span span = current().span;
    if (span != null) {
      span.note(name, value);
    }
  }

  /// Tells something of the span that this thread works in.
  public static void note(String name, long value) {
    Span span = current().span;
    if (span != null) {
      span.note(name, value);
    }
  }

  /// The same work for another thread, for the request of this one.
  public static <T> Callable<T> handedOn(Callable<T> work) {
    Cause now = current();
    return now.isNone() ? work : () -> now.<T, Exception>during(work::call);
  }

  /// The same work for another thread, for the request of this one.
  public static Tasks.Work handedOn(Tasks.Work work) {
    Cause now = current();
    return now.isNone()
        ? work
        : () ->
            now.<Cause, Exception>during(() -> {
              work.run();
              return now;
            });
  }

  /// What another node is told, as headers.
  public void tell(BiConsumer<String, String> headers) {
    if (opaqueId != null) {
      headers.accept(OPAQUE_ID, opaqueId);
    }
    if (span != null) {
      span.tell(headers);
    } else if (traceparent != null) {
      headers.accept(TRACEPARENT, traceparent);
    }
  }
}
