package dev.holdfast.indexing.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Repositories whose store does not do what it is asked.
final class RepositoryStoresTest {
  private final World world = RealWorld.create();
  private final Faulty store = new Faulty(new MemoryStore(), world, StoreFaults.NONE);

  private void assertNamed(SnapshotRepository repository, String why) {
    assertThatThrownBy(repository::names)
        .as("who works with it meets the store's own error")
        .isInstanceOf(StoreException.Unavailable.class)
        .cause()
        .isInstanceOfSatisfying(
            Refusal.class,
            told -> {
              assertThat(told.type()).isEqualTo(ErrorType.REPOSITORY_FAILURE);
              assertThat(told.reason()).startsWith("[mine] its store " + why);
            });
  }

  @Test
  void whatFailsNamesItsRepositoryAndWhatToDo() throws Exception {
    try (RepositoryStores stores = new RepositoryStores(world, store, RepositoryConfig.OWN)) {
      SnapshotRepository repository =
          stores.open(new Repository("mine", "fs", new TreeMap<>(Map.of("location", "here"))));
      assertThat(repository.names()).isEmpty();

      store.refuse(StoreFailure.CREDENTIALS, "");
      assertNamed(
          repository,
          "refuses: injected: 403 credentials (" + StoreFailure.CREDENTIALS.advice() + ")");

      store.refuse(null, "");
      store.outage(true);
      assertNamed(repository, "does not answer: injected: outage");
    }
  }
}
