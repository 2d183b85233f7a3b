package dev.holdfast.objectstore.retry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.SeededChance;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// What the log says of requests that are tried again.
final class RetryingLogTest {
  private final Logger log = (Logger) LoggerFactory.getLogger(Retrying.class);
  private final Level before = log.getLevel();
  private final ListAppender<ILoggingEvent> told = new ListAppender<>();
  private final World real = RealWorld.create();
  private final World world =
      new World(real.clock(), _ -> {}, real.ids(), new SeededChance(1), real.tasks());

  @BeforeEach
  void listen() {
    told.start();
    log.setLevel(Level.INFO);
    log.addAppender(told);
  }

  @AfterEach
  void stop() {
    log.detachAppender(told);
    log.setLevel(before);
    real.tasks().close();
  }

  /// Fails each request so often before it answers.
  private static final class Throttling extends ForwardingStore {
    private final int failures;
    private int failed;

    Throttling(ObjectStore store, int failures) {
      super(store);
      this.failures = failures;
    }

    @Override
    public Optional<StoredObject> get(String key) throws StoreException {
      if (failed < failures) {
        failed++;
        throw new StoreException.Unavailable(StoreFailure.DENIED, "no", null);
      }
      failed = 0;
      return super.get(key);
    }
  }

  @Test
  void aShareOfRequestsThatFailsOnceIsTwoLinesAndNotTwoForEach() throws Exception {
    ObjectStore store = Retrying.forever(new Throttling(new MemoryStore(), 1), world);
    for (int i = 0; i < 100; i++) {
      assertThat(store.get("k" + i)).isEmpty();
    }

    assertThat(messages()).hasSize(2);
    assertThat(messages().getFirst()).startsWith("object store refuses").contains("key=k0");
    assertThat(messages().getLast()).startsWith("object store accepts").contains("key=k0");
  }

  @Test
  void aRequestThatGoesOnFailingIsToldWhateverElseFails() throws Exception {
    ObjectStore store = Retrying.forever(new Throttling(new MemoryStore(), 5), world);
    assertThat(store.get("a")).isEmpty();
    told.list.clear();
    assertThat(store.get("b")).isEmpty();

    assertThat(messages()).hasSize(2);
    assertThat(messages().getFirst()).contains("key=b").contains("tries=4");
    assertThat(messages().getLast()).startsWith("object store accepts").contains("key=b");
  }

  private List<String> messages() {
    return told.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
