package dev.holdfast.node;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreProbe;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.Setting;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Begun;
import java.util.concurrent.ExecutionException;

/// The store of a node that starts: opened, and asked whether it keeps its promises, while the
/// network is prepared. Nobody has it before it has answered.
final class ProbedStore implements AutoCloseable {
  private final Begun<ObjectStore> probing;

  private ProbedStore(Begun<ObjectStore> probing) {
    this.probing = probing;
  }

  static ProbedStore begin(NodeSettings settings, World world) {
    return new ProbedStore(Begun.of(world, "store-probe", () -> opened(settings, world)));
  }

  private static ObjectStore opened(NodeSettings settings, World world) throws Exception {
    ObjectStore store = Stores.open(settings.store(), settings.storeOptions(), world);
    boolean isKept = false;
    try {
      if (Setting.BRIEF.equals(settings.storeOptions().get(Setting.PROBE))) {
        StoreProbe.reach(store, world);
      } else {
        StoreProbe.check(store, world);
      }
      isKept = true;
      return store;
    } finally {
      if (!isKept) {
        store.close();
      }
    }
  }

  /// Waits for it.
  ///
  /// @throws dev.holdfast.objectstore.StoreException when it cannot be opened or used
  ObjectStore store() throws Exception {
    try {
      return probing.value();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception why ? why : e;
    }
  }

  /// A node that does not start for another reason waits for no store.
  @Override
  public void close() {
    if (!probing.isDone()) {
      probing.cancel();
      return;
    }
    ObjectStore store;
    try {
      store = probing.value();
    } catch (ExecutionException e) {
      return; // it was closed when it failed
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody waits for what has ended", e);
    }
    store.close();
  }
}
