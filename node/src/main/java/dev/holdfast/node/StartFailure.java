package dev.holdfast.node;

import dev.holdfast.objectstore.StoreException;
import java.io.IOException;
import org.slf4j.LoggerFactory;

/// Why a node did not start, in one line for the person who started it.
final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  StartFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /// The line for any failure; what nobody foresaw is logged with its stack trace when the log is
  /// set to debug.
  static String sentence(Throwable failure) {
    LoggerFactory.getLogger(StartFailure.class).debug("start failed", failure);
    return switch (failure) {
      case StartFailure foreseen -> oneLine(foreseen.getMessage());
      case StoreException.Denied denied -> "store cannot be used: " + oneLine(denied.getMessage());
      case StoreException.Unavailable refused when refused.failure().isRefusal() ->
          "store cannot be used: " + oneLine(refused.getMessage());
      case StoreException store -> "store unreachable: " + oneLine(store.getMessage());
      case IOException io when io.getMessage() != null -> oneLine(io.getMessage());
      default ->
          "cannot start: " + oneLine(failure.toString()) + " (-E log.level=debug shows where)";
    };
  }

  /// The address cannot be bound.
  static StartFailure cannotServe(String host, int port, IOException cause) {
    boolean isTaken = text(cause).contains("in use");
    return new StartFailure(
        isTaken
            ? "port " + port + " is taken on " + host + ": choose another with --port"
            : "cannot serve on " + host + ":" + port + ": " + oneLine(text(cause)),
        cause);
  }

  private static String text(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }

  private static String oneLine(@org.jspecify.annotations.Nullable String message) {
    return String.valueOf(message).replaceAll("\\s*\\R\\s*", " ");
  }
}
