package dev.holdfast.clusterstate.lease;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.util.Optional;

/// A store that is believed to have no lease only when it lists none either: who leads would end
/// over a wrong answer.
///
/// Within what tries again, so that a store that gives such answers is waited out, and told of, as
/// one that is unavailable.
public final class ConfirmedAbsence extends ForwardingStore {
  public ConfirmedAbsence(ObjectStore store) {
    super(store);
  }

  /// What is listed and not found is asked for again, because the first lease may have been written
  /// meanwhile.
  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    Optional<StoredObject> stored = super.get(key);
    if (stored.isPresent() || !key.equals(Lease.KEY) || !isListed()) {
      return stored;
    }
    stored = super.get(key);
    if (stored.isEmpty()) {
      throw new StoreException.Unavailable(
          StoreFailure.INTERNAL,
          "the store lists [" + key + "] and says that there is no such object",
          null);
    }
    return stored;
  }

  /// Names that only begin so, as of a copy that somebody made, come after it.
  private boolean isListed() throws StoreException {
    return super.list(Lease.KEY, "", 1).stream().anyMatch(listed -> listed.key().equals(Lease.KEY));
  }
}
