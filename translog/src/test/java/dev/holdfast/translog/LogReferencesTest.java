package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.ThreadShortage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LogReferencesTest extends LogFixture {
  @Test
  void filesThatNoThreadWasLeftToDeleteAreDeletedLater() throws Exception {
    ThreadShortage threads = new ThreadShortage(world.tasks());
    LogReferences references =
        new LogReferences(threads.in(world), store, new Member("a"), () -> 2L);
    String key = LogFile.key("a", 0);
    store.put(key, ObjectBody.of(new byte[] {1}));
    references.add(0, SHARD);
    references.add(1, SHARD);
    references.release(SHARD, 1);
    threads.begin();

    assertThatThrownBy(() -> references.deletable(1)).isInstanceOf(OutOfMemoryError.class);
    threads.end();
    references.deletable(1);

    while (store.get(key).isPresent()) {
      world.sleeper().sleep(Duration.ofMillis(1));
    }
    assertThat(references.files()).isOne();
  }
}
