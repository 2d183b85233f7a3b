package dev.holdfast.node;

import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.clusterstate.membership.ClusterName;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
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
      case Refusal refusal -> oneLine(refusal.getMessage());
      default ->
          "cannot start: " + oneLine(failure.toString()) + " (-E log.level=debug shows where)";
    };
  }

  /// Whether to start it again changes nothing: a person has to do something first.
  static boolean isHelpless(Throwable failure) {
    return failure instanceof IncompleteStateException
        || failure instanceof NewerFormatException
        || isNotTakenIn(failure)
        || isNotTakenIn(failure.getCause());
  }

  /// The cluster speaks what this build does not, or has another name.
  private static boolean isNotTakenIn(@Nullable Throwable failure) {
    return failure instanceof Refusal refusal
        && (Formats.isRefusal(refusal) || ClusterName.isRefusal(refusal));
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

  private static String oneLine(@Nullable String message) {
    return String.valueOf(message).replaceAll("\\s*\\R\\s*", " ");
  }
}
