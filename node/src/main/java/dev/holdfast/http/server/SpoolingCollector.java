package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.spool.RequestFiles;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/// Collects a body of lines that may be too large for memory: up to a bound as [BodyCollector]
/// does, beyond it into a file. While a piece is written to the disk the client is not asked for
/// more. Runs on one event loop; the disk is written to by other threads, one piece at a time.
final class SpoolingCollector implements Subscriber<HttpObject> {
  private static final int FIRST_BYTES = 8 << 10;
  private static final int STEP_BYTES = 1 << 20;

  /// What one frame adds at most to a step, about.
  private static final int FRAME_BYTES = 64 << 10;

  private final long declared;
  private final long bytesMax;
  private final RequestFiles files;
  private final RequestBytes.Reservation reservation;
  private final EventExecutor loop;
  private final Tasks tasks;
  private final Done done;
  private final StallWatch watch;
  private byte[] bytes = new byte[0];
  private int length;
  private long received;
  private long discarded;
  private long waits;
  private boolean isSpooling;
  private boolean isWriting;
  private boolean isEnded;
  private boolean isDone;
  private volatile @Nullable SpoolFile file;
  private @Nullable Refusal refusal;
  private @Nullable Subscription subscription;

  /// How collecting ended, where it may end in a file.
  interface Done extends BodyCollector.Done {
    void spooled(SpoolFile body);
  }

  /// @param declared the `Content-Length`, -1 when there is none
  SpoolingCollector(
      long declared,
      long bytesMax,
      RequestFiles files,
      RequestBytes.Reservation reservation,
      EventExecutor loop,
      Tasks tasks,
      Done done) {
    this.declared = declared;
    this.bytesMax = bytesMax;
    this.files = files;
    this.reservation = reservation;
    this.loop = loop;
    this.tasks = tasks;
    this.done = done;
    this.watch = new StallWatch(reservation, this::progress, this::stalled);
    isSpooling = declared > files.memoryBytes();
    if (declared > bytesMax) {
      refuse(BodyCompression.tooLong(declared, bytesMax));
    }
  }

  @Override
  public void onSubscribe(Subscription subscribed) {
    subscription = subscribed;
    subscribed.request(1);
  }

  @Override
  public void onNext(HttpObject object) {
    if (object instanceof HttpData data) {
      try (data) {
        take(data);
      }
    }
    askForMore();
  }

  private void take(HttpData data) {
    if (isDone) {
      return;
    }
    received += data.length();
    if (refusal == null && received > bytesMax) {
      refuse(BodyCompression.tooLong(received, bytesMax));
    }
    if (refusal == null) {
      ensure(data.length());
    }
    if (refusal != null) {
      discard(data.length());
      return;
    }
    data.byteBuf().getBytes(data.byteBuf().readerIndex(), bytes, length, data.length());
    length += data.length();
    if (isSpooling && length >= STEP_BYTES) {
      write();
    }
  }

  private void ensure(int more) {
    int needed = length + more;
    isSpooling |= needed > files.memoryBytes();
    if (needed <= bytes.length) {
      return;
    }
    long size =
        isSpooling
            ? Math.max(needed, STEP_BYTES + FRAME_BYTES)
            : Math.min(files.memoryBytes(), Math.max(FIRST_BYTES, Math.max(needed, 2L * length)));
    try {
      reservation.add(size - bytes.length);
      bytes = Arrays.copyOf(bytes, (int) size);
    } catch (Refusal e) {
      refuse(e);
    }
  }

  private void refuse(Refusal why) {
    refusal = refusal == null ? why : refusal;
    discarded += length;
    length = 0;
    reservation.give(bytes.length);
    bytes = new byte[0];
  }

  /// Bytes of an unwanted body are read before the connection is given up, as many again.
  private void discard(int count) {
    discarded += count;
    Subscription open = subscription;
    if (discarded > 2 * bytesMax && open != null) {
      subscription = null;
      open.cancel();
      onComplete();
    }
  }

  private void askForMore() {
    Subscription open = subscription;
    if (!isWriting && !isDone && open != null) {
      open.request(1);
    }
  }

  /// Hands what is held to the file.
  private void write() {
    isWriting = true;
    byte[] piece = bytes;
    int count = length;
    var _ =
        tasks.start(
            "http-spool",
            () -> {
              Refusal failure = append(piece, count);
              loop.execute(() -> wrote(failure));
            },
            this::notWritten);
  }

  private void notWritten() {
    Refusal why =
        new Refusal(
            ErrorType.REJECTED_EXECUTION, "no thread can be started to write a request to disk");
    loop.execute(() -> wrote(why));
  }

  private @Nullable Refusal append(byte[] piece, int count) {
    try {
      SpoolFile into = file;
      if (into == null) {
        into = files.create();
        file = into;
        into.reserve(Math.max(count, declared));
      }
      into.append(piece, 0, count);
      return null;
    } catch (IOException | RuntimeException e) {
      return ErrorBody.refusal(e);
    }
  }

  private void wrote(@Nullable Refusal failure) {
    isWriting = false;
    waits++;
    length = 0;
    if (failure != null && !isDone) { // else its client has gone, and so has what was held
      discarded = received;
      refuse(failure);
    }
    if (isEnded) {
      finish();
    } else {
      askForMore();
    }
  }

  /// Ends the body when it comes too slowly.
  void watch(Duration stallMax) {
    if (!isDone) {
      watch.begin(loop, stallMax);
    }
  }

  /// Waiting for the disk is no fault of the client.
  private long progress() {
    if (isWriting) {
      waits++;
    }
    return received + waits * STEP_BYTES;
  }

  private void stalled(Refusal slow) {
    if (isDone) {
      return;
    }
    refuse(slow);
    Subscription open = subscription;
    subscription = null;
    if (open != null) {
      open.cancel();
    }
    onComplete();
  }

  @Override
  public void onComplete() {
    isEnded = true;
    if (!isWriting) {
      finish();
    }
  }

  private void finish() {
    if (isDone) {
      return;
    }
    SpoolFile whole = file;
    if (refusal == null && isSpooling && length > 0) {
      write(); // the last piece; then here again
      return;
    }
    isDone = true;
    Refusal givenUp = watch.end();
    refusal = refusal != null ? refusal : givenUp;
    RequestBody body = RequestBody.received(bytes, length);
    int held = bytes.length;
    bytes = new byte[0];
    if (refusal != null) {
      done.refused(refusal);
    } else if (whole == null) {
      done.collected(body);
    } else {
      reservation.give(held);
      done.spooled(whole);
    }
  }

  @Override
  public void onError(Throwable cause) {
    if (!isDone) {
      isDone = true;
      Refusal _ = watch.end();
      done.broken(cause);
    }
  }
}
