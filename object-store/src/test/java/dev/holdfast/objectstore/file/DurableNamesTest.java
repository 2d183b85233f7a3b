package dev.holdfast.objectstore.file;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static dev.holdfast.objectstore.ObjectStoreContract.swapped;
import static dev.holdfast.objectstore.ObjectStoreContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder that can't be made durable once the object has its name: the write has failed and is
/// there. Whoever tries again finds it, and is told of it only when it survives a power loss.
final class DurableNamesTest {
  @TempDir Path root;

  private final World world = RealWorld.create();
  private final List<Path> synced = new ArrayList<>();
  private int failuresLeft;

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  private void sync(Path folder) throws IOException {
    if (failuresLeft > 0) {
      failuresLeft--;
      throw new IOException("Input/output error");
    }
    synced.add(folder);
  }

  /// With an object in its folder, so that only names are new; the next sync fails.
  private FileStore failing(String folder) throws Exception {
    FileStore store = new FileStore(root, this::sync);
    Version _ = store.put(folder + "/before", body("x"));
    synced.clear();
    failuresLeft = 1;
    return store;
  }

  private void assertSynced(String folder) throws IOException {
    assertThat(failuresLeft).isZero();
    assertThat(synced).contains(root.toRealPath().resolve(folder));
  }

  @Test
  void ofAnObjectThatTheRetryFindsToBeItsOwn() throws Exception {
    Retrying store = Retrying.forever(failing("log/a"), world);

    Creation ended = store.putIfAbsent("log/a/0", body("ours"));

    assertThat(ended).isInstanceOf(Creation.Created.class);
    assertSynced("log/a");
  }

  @Test
  void ofARegisterThatTheRetryFindsToBeItsOwn() throws Exception {
    Retrying store = Retrying.forever(failing("cluster"), world);

    Swap ended = store.compareAndSet("cluster/lease", null, utf8("ours"));

    assertThat(ended).isInstanceOf(Swap.Swapped.class);
    assertSynced("cluster");
  }

  @Test
  void ofWhatAnotherWroteWhoCouldNotMakeItDurable() throws Exception {
    FileStore store = failing("log/a");
    assertThatThrownBy(() -> store.putIfAbsent("log/a/0", body("theirs")))
        .isInstanceOf(StoreException.Unavailable.class);

    assertThat(store.putIfAbsent("log/a/0", body("ours"))).isEqualTo(new Creation.AlreadyExists());

    assertSynced("log/a");
  }

  @Test
  void aConflictWithWhatIsDeletedIsOne() throws Exception {
    FileStore store = new FileStore(root);
    Version lease = swapped(store.compareAndSet("cluster/lease", null, utf8("1")));
    store.deleteAll(List.of("cluster/lease"));

    assertThat(store.compareAndSet("cluster/lease", lease, utf8("2")))
        .isEqualTo(new Swap.Conflict());
  }
}
