package dev.holdfast.search.held;

import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The pins of points in time in the store.
public final class PinStore {
  private final ObjectStore store;

  public PinStore(ObjectStore store) {
    this.store = store;
  }

  public void put(PointInTimePin pin) throws IOException {
    var _ = store.put(PointInTimePin.key(pin.id()), ObjectBody.of(pin.bytes()));
  }

  /// Empty when it was closed, or is over and was swept.
  public Optional<PointInTimePin> find(String id) throws IOException {
    String key = PointInTimePin.key(id);
    Optional<ObjectStore.StoredObject> found = store.get(key);
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(PointInTimePin.read(key, found.get().bytes()));
  }

  public void delete(String id) throws IOException {
    store.deleteAll(List.of(PointInTimePin.key(id)));
  }
}
