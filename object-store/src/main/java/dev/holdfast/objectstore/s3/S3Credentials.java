package dev.holdfast.objectstore.s3;

import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/// Credentials from where the AWS tools look for them, looked for anew after they were refused: the
/// SDK keeps to the first place where it found some and to what it read there, be the file changed,
/// the token revoked or the role another by then.
final class S3Credentials implements AwsCredentialsProvider, ExecutionInterceptor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(S3Credentials.class);

  /// A store that refuses is asked often; where credentials come from is asked less often.
  static final Duration RELOAD_EVERY = Duration.ofSeconds(5);

  private final Supplier<? extends AwsCredentialsProvider> places;
  private final Clock clock;
  private volatile AwsCredentialsProvider current;
  private long reloadedNanos;

  /// @param places begins a new look at all places
  S3Credentials(Supplier<? extends AwsCredentialsProvider> places, Clock clock) {
    this.places = places;
    this.clock = clock;
    this.current = places.get();
    this.reloadedNanos = clock.nanoTime() - RELOAD_EVERY.toNanos();
  }

  /// What a place throws that cannot be read just now, as a profile half written or one that was
  /// closed because another took over, is no fault of the program.
  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return current.resolveCredentials();
    } catch (SdkException e) {
      throw e;
    } catch (RuntimeException e) {
      throw SdkClientException.create("Unable to load credentials: " + e.getMessage(), e);
    }
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution failed, ExecutionAttributes attributes) {
    if (S3Failures.mayBeOfCredentials(failed.exception())) {
      reload();
    }
  }

  private synchronized void reload() {
    long now = clock.nanoTime();
    if (now - reloadedNanos < RELOAD_EVERY.toNanos()) {
      return;
    }
    reloadedNanos = now;
    AwsCredentialsProvider before = current;
    current = places.get();
    close(before);
    LOG.debug("credentials were refused and are read anew");
  }

  /// A request that is just asking it fails and is tried again.
  private static void close(AwsCredentialsProvider provider) {
    if (provider instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  @Override
  public synchronized void close() {
    close(current);
  }
}
