package dev.holdfast.world;

import java.io.IOException;
import java.time.Duration;

/// Calls from node to node: bytes there, bytes back. A node serves calls by name; an address is
/// what another node gave as its own. Calls block; every one has a deadline.
public interface Network {
  /// Answers calls of that name from now on. Names are paths: `cluster/join`.
  ///
  /// @throws IllegalStateException when the name is served already
  void serve(String call, Handler handler);

  /// Calls another node, or this one.
  ///
  /// @param address `host:port`
  /// @param deadline how long the answer may take
  /// @throws UnreachableException when no answer came
  /// @throws Refusal as the other node threw it
  /// @throws IOException when the other node failed with anything else
  byte[] call(String address, String call, byte[] request, Duration deadline)
      throws IOException, InterruptedException;

  /// Changes what proves that a call comes from this cluster, where all its nodes find it: calls
  /// from now on carry the new proof, and whoever does not find it there is not answered any more.
  /// Nothing where calls need no proof.
  default void changeSecret() throws IOException {}

  /// What a node does when it is called, on a thread of its own. A [Refusal] travels to the caller
  /// as it is; anything else as an IOException with its message.
  @FunctionalInterface
  interface Handler {
    byte[] answer(byte[] request) throws Exception;
  }

  /// No answer: the node is dead, cut off, or too slow.
  final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveArrived;

    /// @param mayHaveArrived false when the call certainly never reached the node: it may be made
    ///   again
    /// @param cause a [java.net.ConnectException] when nobody listens at the address: no process
    ///   lives there
    public UnreachableException(String reason, boolean mayHaveArrived, Throwable cause) {
      super(reason, cause);
      this.mayHaveArrived = mayHaveArrived;
    }

    public boolean mayHaveArrived() {
      return mayHaveArrived;
    }
  }
}
