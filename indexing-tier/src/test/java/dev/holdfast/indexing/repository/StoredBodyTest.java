package dev.holdfast.indexing.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Objects of one store on their way into another.
final class StoredBodyTest {
  @TempDir Path folder;

  /// The cluster's own store is written to until it takes what it is given.
  @Test
  @Timeout(30)
  void theStoreThatIsWrittenToIsNotBlamedForTheOneThatIsRead() throws Exception {
    World world = RealWorld.create();
    MemoryStore memory = new MemoryStore();
    var _ = memory.put("blobs/a", ObjectBody.of(new byte[] {1, 2, 3}));
    Faulty repository = new Faulty(memory, world, StoreFaults.NONE);
    repository.refuse(StoreFailure.CREDENTIALS, "");
    ObjectStore own = Retrying.forever(new FileStore(folder), world);

    assertThatThrownBy(() -> own.put("shards/a", StoredBody.of(repository, "blobs/a", 3)))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("injected: 403 credentials");
    assertThat(own.trouble("")).isEmpty();

    repository.refuse(null, "");
    var _ = own.put("shards/a", StoredBody.of(repository, "blobs/a", 3));
    assertThat(own.get("shards/a").orElseThrow().bytes()).containsExactly(1, 2, 3);
  }
}
