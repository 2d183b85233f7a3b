package dev.holdfast.clusterstate.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.UnknownJson;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The lease as it lies in the store: read, or replaced by compare-and-set.
public final class LeaseRegister {
  private final ObjectStore store;

  public LeaseRegister(ObjectStore store) {
    this.store = new ConfirmedAbsence(store);
  }

  /// The lease and the version to compare with when replacing it; version null when there is none
  /// yet.
  ///
  /// @param unknown what newer builds added to it: it stays when this build replaces the lease
  public record Read(Lease lease, @Nullable Version version, UnknownJson unknown) {
    /// Whether there was none, or none that can be read.
    public boolean isMissing() {
      return lease.term() == 0;
    }
  }

  /// @throws CorruptObjectException when what lies there is damaged
  public Read read() throws IOException {
    Optional<StoredObject> stored = store.get(Lease.KEY);
    return stored.isEmpty() ? missing(null) : read(stored.get());
  }

  /// As [#read], but one that is damaged is missing: whoever may put it back replaces what is
  /// there.
  public Read readIfWhole() throws IOException {
    Version version = null;
    try {
      Optional<StoredObject> stored = store.get(Lease.KEY);
      version = stored.map(StoredObject::version).orElse(null);
      return stored.isEmpty() ? missing(null) : read(stored.get());
    } catch (CorruptObjectException e) {
      return missing(version);
    } catch (StoreException.Denied e) {
      if (e.damagedVersion() == null) {
        throw e;
      }
      return missing(e.damagedVersion());
    }
  }

  private static Read missing(@Nullable Version version) {
    return new Read(Lease.none(), version, UnknownJson.NONE);
  }

  private static Read read(StoredObject stored) throws IOException {
    return read(Lease.open(stored.bytes()), stored.version());
  }

  private static Read read(ObjectNode json, Version version) {
    Lease lease = Lease.of(json);
    return new Read(lease, version, UnknownJson.of(json, lease.json()));
  }

  /// Replaces what was read; empty when someone was faster.
  public Optional<Read> replace(Read read, Lease lease) throws IOException {
    byte[] bytes = Lease.seal(read.unknown().addTo(lease.json()));
    return switch (store.compareAndSet(Lease.KEY, read.version(), bytes)) {
      case Swap.Swapped swapped -> Optional.of(new Read(lease, swapped.version(), read.unknown()));
      case Swap.Conflict _ -> Optional.empty();
    };
  }
}
