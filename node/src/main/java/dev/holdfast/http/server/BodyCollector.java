package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import dev.holdfast.http.RequestBody;
import dev.holdfast.world.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/// Collects a streaming body into one array, which grows with what has come: a client that only
/// says how much it will send holds nothing. What is too long or more than the breaker allows is
/// read and thrown away, so that the client gets to read why instead of a broken connection. Runs
/// on one event loop.
public final class BodyCollector implements Subscriber<HttpObject> {
  private static final int FIRST_BYTES = 8 << 10;

  /// Bytes of an unwanted body that are read before the connection is given up.
  private final long discardedMax;

  private final long declared;
  private final long bytesMax;
  private final RequestBytes.Reservation reservation;
  private final Done done;
  private byte[] bytes = new byte[0];
  private int length;
  private long discarded;
  private boolean isDone;
  private final StallWatch watch;
  private @Nullable Refusal refusal;
  private @Nullable Subscription subscription;

  /// @param declared the `Content-Length`, -1 when there is none
  public BodyCollector(
      long declared, long bytesMax, RequestBytes.Reservation reservation, Done done) {
    this.declared = declared;
    this.bytesMax = bytesMax;
    this.discardedMax = 2 * bytesMax;
    this.reservation = reservation;
    this.done = done;
    this.watch = new StallWatch(reservation, this::progress, this::stalled);
    try {
      if (declared > bytesMax) {
        throw BodyCompression.tooLong(declared, bytesMax);
      }
      reservation.requireRoom(Math.max(0, declared));
    } catch (Refusal e) {
      refusal = e;
    }
  }

  @Override
  public void onSubscribe(Subscription subscribed) {
    subscription = subscribed;
    subscribed.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject object) {
    if (!(object instanceof HttpData data)) {
      return;
    }
    try (data) {
      if (isDone) {
        return;
      }
      if (refusal == null) {
        ensure((long) length + data.length());
      }
      if (refusal != null) {
        discard(data.length());
        return;
      }
      ByteBuf buffer = data.byteBuf();
      buffer.getBytes(buffer.readerIndex(), bytes, length, data.length());
      length += data.length();
    }
  }

  private void ensure(long needed) {
    try {
      if (needed > bytesMax) {
        throw BodyCompression.tooLong(needed, bytesMax);
      }
      if (needed > bytes.length) {
        long most = declared >= needed ? declared : bytesMax;
        long size = Math.min(most, Math.max(needed, Math.max(FIRST_BYTES, 2L * bytes.length)));
        reservation.add(size - bytes.length);
        bytes = Arrays.copyOf(bytes, (int) size);
      }
    } catch (Refusal e) {
      refusal = e;
      reservation.give(bytes.length);
      bytes = new byte[0];
      discarded += length;
      length = 0;
    }
  }

  private void discard(int count) {
    discarded += count;
    if (discarded > discardedMax && subscription != null) {
      subscription.cancel();
      subscription = null;
      onComplete();
    }
  }

  /// Ends the body when it comes too slowly.
  ///
  /// @param loop that the body comes on
  /// @param stallMax in which some of it must come each time
  void watch(EventExecutor loop, Duration stallMax) {
    if (!isDone) {
      watch.begin(loop, stallMax);
    }
  }

  private long progress() {
    return length + discarded;
  }

  private void stalled(Refusal slow) {
    if (isDone) {
      return;
    }
    refusal = refusal != null ? refusal : slow;
    if (subscription != null) {
      subscription.cancel();
    }
    onComplete();
  }

  private void end() {
    isDone = true;
    bytes = new byte[0]; // handed on
    Refusal givenUp = watch.end();
    refusal = refusal != null ? refusal : givenUp;
  }

  @Override
  public void onComplete() {
    if (isDone) {
      return;
    }
    RequestBody body = RequestBody.received(bytes, length);
    end();
    if (refusal == null) {
      done.collected(body);
    } else {
      done.refused(refusal);
    }
  }

  @Override
  public void onError(Throwable cause) {
    if (!isDone) {
      end();
      done.broken(cause);
    }
  }

  /// How collecting ended.
  public interface Done {
    void collected(RequestBody body);

    void refused(Refusal refusal);

    /// The client went away in the middle.
    void broken(Throwable cause);
  }
}
