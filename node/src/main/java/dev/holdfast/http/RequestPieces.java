package dev.holdfast.http;

import dev.holdfast.world.StopSignal;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Pieces of the work of one request, done side by side: each draws from the memory of the request,
/// and ends when that is cancelled.
public final class RequestPieces {
  private RequestPieces() {}

  /// A piece for another thread of the request. One that is short never looks for its end: it does
  /// not begin when the request has been cancelled by then.
  public static <T> Callable<T> of(Callable<T> work) {
    Callable<T> unlessCancelled =
        () -> {
          StopSignal.lookForCancelling();
          return work.call();
        };
    return StopSignal.handedOn(RequestMemory.handedOn(unlessCancelled));
  }

  /// The values of all pieces, in their order; the first failure ends the wait.
  ///
  /// @throws IOException as a piece threw it, or when one threw what no request should meet
  /// @throws RuntimeException as a piece threw it
  public static <T> List<T> all(FanOut fanOut, List<? extends Callable<T>> pieces)
      throws IOException, InterruptedException {
    try {
      return fanOut.all(pieces.stream().map(RequestPieces::<T>of).toList());
    } catch (ExecutionException | TimeoutException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException runtime -> throw runtime;
        case null, default -> throw new IOException("a piece of the request could not be done", e);
      }
    }
  }
}
