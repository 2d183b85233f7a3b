package dev.holdfast.objectstore.s3;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/// A client for what a server may do for minutes without a word, as some do while they copy a large
/// object. Opened when it is first needed.
final class PatientClient implements AutoCloseable {
  private final Supplier<S3Client> opening;

  // Guarded by this.
  private @Nullable S3Client client;

  private boolean isClosed;

  PatientClient(Supplier<S3Client> opening) {
    this.opening = opening;
  }

  synchronized S3Client get() {
    S3Client known = client;
    if (known == null) {
      if (isClosed) {
        throw new IllegalStateException("the store is closed");
      }
      known = opening.get();
      client = known;
    }
    return known;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (client != null) {
      client.close();
    }
  }
}
