package dev.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RequestPiecesTest {
  /// Three thousand short searches of one request went on for ten seconds after their client had
  /// left: none of them was long enough to look.
  @Test
  void piecesOfACancelledRequestDoNotBegin() throws Exception {
    AtomicBoolean isCancelled = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    StopSignal signal = new StopSignal(isCancelled::get, () -> false, () -> 7);
    Callable<Integer> piece =
        signal.<Callable<Integer>, RuntimeException>during(
            () -> RequestPieces.of(done::incrementAndGet));
    assertThat(piece.call()).isEqualTo(1);

    isCancelled.set(true);

    Refusal refusal = catchThrowableOfType(Refusal.class, piece::call);
    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
    assertThat(done.get()).isEqualTo(1);
  }
}
