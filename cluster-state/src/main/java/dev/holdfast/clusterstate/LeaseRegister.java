package dev.holdfast.clusterstate;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The lease as it lies in the store: read, or replaced by compare-and-set.
final class LeaseRegister {
  private final ObjectStore store;

  LeaseRegister(ObjectStore store) {
    this.store = store;
  }

  /// The lease and the version to compare with when replacing it; version null when there is none
  /// yet.
  record Read(Lease lease, @Nullable Version version) {}

  Read read() throws IOException {
    Optional<StoredObject> stored = store.get(Lease.KEY);
    return stored.isEmpty()
        ? new Read(Lease.none(), null)
        : new Read(Lease.read(stored.get().bytes()), stored.get().version());
  }

  /// Replaces what was read; empty when someone was faster.
  Optional<Read> replace(Read read, Lease lease) throws IOException {
    return switch (store.compareAndSet(Lease.KEY, read.version(), lease.bytes())) {
      case Swap.Swapped swapped -> Optional.of(new Read(lease, swapped.version()));
      case Swap.Conflict _ -> Optional.empty();
    };
  }
}
