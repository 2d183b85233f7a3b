package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.linecorp.armeria.common.HttpData;
import dev.holdfast.http.RequestBody;
import dev.holdfast.world.Refusal;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BodyCollectorTest {
  private static final int DECLARED = 900_000;

  private final RequestBytes all = new RequestBytes(1 << 20);
  private final List<RequestBody> bodies = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();

  private BodyCollector collector(long declared, RequestBytes.Reservation reservation) {
    return new BodyCollector(
        declared,
        1 << 30,
        reservation,
        new BodyCollector.Done() {
          @Override
          public void collected(RequestBody body) {
            bodies.add(body);
          }

          @Override
          public void refused(Refusal refusal) {
            refusals.add(refusal);
          }

          @Override
          public void broken(Throwable cause) {
            throw new AssertionError(cause);
          }
        });
  }

  @Test
  void whatIsOnlyDeclaredIsNotHeld() {
    RequestBytes.Reservation reservation = all.begin();
    long before = all.bytes();
    BodyCollector collector = collector(DECLARED, reservation);

    assertThat(all.bytes()).isEqualTo(before);
    collector.onNext(HttpData.wrap(new byte[10]));
    assertThat(all.bytes() - before).isLessThanOrEqualTo(16 << 10);
    for (int sent = 10; sent < DECLARED; sent += 50_000) {
      collector.onNext(HttpData.wrap(new byte[Math.min(50_000, DECLARED - sent)]));
    }
    collector.onComplete();

    assertThat(bodies).hasSize(1);
    assertThat(bodies.getFirst().length()).isEqualTo(DECLARED);
    assertThat(all.bytes() - before).isEqualTo(DECLARED);
  }

  /// Large bodies take all there is, but for what small ones need.
  @Test
  void smallBodiesAreRefusedLast() {
    RequestBytes.Reservation large = all.begin();
    large.add((1 << 20) - all.bytes());

    RequestBytes.Reservation small = all.begin();
    small.add(10_000);

    assertThat(catchThrowableOfType(Refusal.class, () -> large.add(1))).isNotNull();
    assertThat(catchThrowableOfType(Refusal.class, () -> small.add(100_000)).reason())
        .as("the sixteenth is for all of them, and no limit that anybody has set")
        .endsWith("[1048576/1mb]");
  }

  /// Thousands of clients that begin a body and do not end it had kept all others out for a minute.
  @Test
  void aBodyThatDoesNotComeOnMakesRoomForOthers() {
    EmbeddedChannel connection = new EmbeddedChannel();
    connection.freezeTime();
    RequestBytes.Reservation slow = all.begin();
    BodyCollector collector = collector(DECLARED, slow);
    collector.watch(connection.eventLoop(), Duration.ofMinutes(1));
    collector.onNext(HttpData.wrap(new byte[DECLARED]));
    RequestBytes.Reservation other = all.begin();

    assertThat(catchThrowableOfType(Refusal.class, () -> other.add(500_000)))
        .as("it has only just come so far")
        .isNotNull();
    look(connection);
    assertThat(catchThrowableOfType(Refusal.class, () -> other.add(500_000)))
        .as("it came on")
        .isNotNull();
    look(connection);
    assertThat(refusals).as("there is room for all").isEmpty();
    other.add(500_000);
    connection.runPendingTasks();

    assertThat(refusals).hasSize(1);
    assertThat(refusals.getFirst().status()).isEqualTo(429);
    assertThat(refusals.getFirst().reason()).contains("too slowly");
    assertThat(all.bytes()).isEqualTo(500_000 + RequestBytes.OVERHEAD_BYTES);
    slow.give(DECLARED);
    slow.close();
    assertThat(all.bytes()).as("given back once").isGreaterThan(500_000);
    assertThat(catchThrowableOfType(Refusal.class, () -> slow.add(1))).isNotNull();
    connection.finishAndReleaseAll();
  }

  private static void look(EmbeddedChannel connection) {
    connection.advanceTimeBy(1, TimeUnit.SECONDS);
    connection.runPendingTasks();
  }

  @Test
  void aBodyThatComesOnAgainIsNotGivenUpForItself() {
    RequestBytes.Reservation body = all.begin();
    body.arriving(() -> refusals.add(body.tooSlow()));
    body.add(600_000);
    body.waited(1);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> body.add(600_000));

    assertThat(refusal.reason()).contains("Data too large");
    assertThat(refusals).isEmpty();
    body.add(1);
  }

  @Test
  void whoHasItsShareFindsRoomInTheFirstHalf() {
    RequestBytes.Reservation half = all.begin(true);
    half.add(500_000);
    RequestBytes.Reservation more = all.begin(true);
    more.add(10_000);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> all.begin(true));

    assertThat(refusal.status()).isEqualTo(429);
    RequestBytes.Reservation first = all.begin(false);
    first.close();
  }

  /// Each has a thread, which takes more than most bodies.
  @Test
  void requestsWithoutBodiesAreBounded() {
    int bytesEachAtLeast = 17 << 10;
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> {
              for (int i = 0; i < (1 << 20) / 16 * 17 / bytesEachAtLeast; i++) {
                all.begin();
              }
            });

    assertThat(refusal).isNotNull();
  }

  @Test
  void aBodyThatIsRefusedHoldsNothingOfWhatCame() {
    RequestBytes.Reservation reservation = all.begin();
    BodyCollector collector = collector(-1, reservation);
    collector.onNext(HttpData.wrap(new byte[500_000]));

    collector.onNext(HttpData.wrap(new byte[600_000]));

    assertThat(all.bytes()).isEqualTo(RequestBytes.OVERHEAD_BYTES);
  }

  @Test
  void whatThereIsNoRoomForIsRefusedBeforeItComes() {
    RequestBytes.Reservation reservation = all.begin();
    BodyCollector collector = collector(2 << 20, reservation);

    collector.onNext(HttpData.wrap(new byte[10]));
    collector.onComplete();

    assertThat(refusals).hasSize(1);
    assertThat(refusals.getFirst().status()).isEqualTo(429);
    assertThat(bodies).isEmpty();
  }
}
