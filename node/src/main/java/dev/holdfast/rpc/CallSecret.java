package dev.holdfast.rpc;

import dev.holdfast.world.Clock;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;

/// The secret of the cluster as this process knows it. It is read again when another process does
/// not understand this one, or the other way round: it may have been changed.
final class CallSecret {
  /// Between two looks at the store that strangers can cause.
  static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final Clock clock;
  private final RpcNetwork.SecretSource source;
  private volatile byte[] known;
  private long lookedNanos;
  private boolean isLooked;

  CallSecret(Clock clock, RpcNetwork.SecretSource source) throws IOException {
    this.clock = clock;
    this.source = source;
    this.known = source.read();
  }

  byte[] known() {
    return known;
  }

  /// Whether nobody looked a moment ago.
  synchronized boolean mayLook() {
    return !isLooked || clock.nanoTime() - lookedNanos >= LOOK_EVERY.toNanos();
  }

  /// Makes another secret, which is the only one that this process knows from then on.
  synchronized void change() throws IOException {
    known = source.change();
  }

  /// Looks at the store, unless somebody just did.
  ///
  /// @return whether it is another than `used`
  synchronized boolean isChanged(byte[] used) throws IOException {
    long now = clock.nanoTime();
    if (MessageDigest.isEqual(used, known) && mayLook()) {
      isLooked = true;
      lookedNanos = now;
      known = source.read();
    }
    return !MessageDigest.isEqual(used, known);
  }
}
