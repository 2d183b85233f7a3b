package dev.holdfast.translog;

import dev.holdfast.world.trace.Cause;
import dev.holdfast.world.trace.Span;
import java.util.ArrayList;
import java.util.List;

/// The traced writes that wait for the file being filled: its upload is shown as a part of the
/// first one's trace, with links to the others. Guarded by the log's lock.
final class WaitingSpans {
  private static final int LINKS_MAX = 16;

  private Cause first = Cause.NONE;
  private List<Span> others = List.of();

  /// The write of this thread waits, too.
  void add() {
    Cause cause = Cause.current();
    Span span = cause.span();
    if (span == null) {
      return;
    }
    if (first.isNone()) {
      first = cause;
    } else if (others.size() < LINKS_MAX) {
      others = others.isEmpty() ? new ArrayList<>() : others;
      others.add(span);
    }
  }

  /// Those of a file that is sealed; the next one begins without any.
  WaitingSpans seal() {
    WaitingSpans sealed = new WaitingSpans();
    sealed.first = first;
    sealed.others = others;
    first = Cause.NONE;
    others = List.of();
    return sealed;
  }

  /// Runs the upload that they wait for.
  void uploading(long ordinal, Runnable upload) {
    if (first.isNone()) {
      upload.run();
      return;
    }
    first.during(() ->
        Cause.<Cause, RuntimeException, RuntimeException>span(
            "log upload",
            () -> {
              Cause.note("holdfast.log.ordinal", ordinal);
              Span span = Cause.current().span();
              if (span != null) {
                others.forEach(span::alsoFor);
              }
              upload.run();
              return first;
            }));
  }
}
