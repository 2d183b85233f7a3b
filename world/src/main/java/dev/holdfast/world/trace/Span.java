package dev.holdfast.world.trace;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A piece of work that a trace shows: its name, when it began and ended, what it belongs to.
/// Thread-safe; what is told of it after its end is lost.
public interface Span {
  /// Which side of a call it is.
  enum Kind {
    /// Neither.
    INTERNAL,
    /// It waits for another process.
    CLIENT,
    /// Another process waits for it.
    SERVER
  }

  /// Begins a part of it.
  ///
  /// @return null when the trace takes no more parts
  @Nullable Span begin(String name, Kind kind);

  /// It is shown to have served this one, too.
  void alsoFor(Span other);

  void rename(String name);

  void note(String name, String value);

  void note(String name, long value);

  void failed(Throwable why);

  /// It ended in an answer that is an error.
  void failed(String type);

  void end();

  /// Whether it has ended: nothing becomes a part of it any more.
  boolean isEnded();

  /// What another process is told, so that its work becomes part of this: names and values of
  /// headers.
  void tell(BiConsumer<String, String> headers);
}
