package dev.holdfast.cost;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The account as it was found in the store; where there is none, or what is there is damaged, one
/// that begins.
///
/// @param version of what is there, which the next account replaces; null for nothing
public record StoredLedger(CostLedger ledger, @Nullable Version version) {
  private static final Logger LOG = LoggerFactory.getLogger(StoredLedger.class);

  /// @param nowMillis epoch milliseconds, when one begins
  public static StoredLedger read(ObjectStore store, long nowMillis) throws IOException {
    Version version = null;
    try {
      Optional<StoredObject> stored = store.get(LedgerBytes.KEY);
      if (stored.isPresent()) {
        version = stored.get().version();
        return new StoredLedger(LedgerBytes.read(stored.get().bytes()), version);
      }
    } catch (CorruptObjectException e) {
      LOG.warn("the account of the store's costs is lost, another begins", e);
    } catch (StoreException.Denied e) { // a folder sees by itself that it is damaged
      version = e.damagedVersion();
      if (version == null) {
        throw e;
      }
      LOG.warn("the account of the store's costs is lost, another begins", e);
    }
    return new StoredLedger(CostLedger.begin(nowMillis), version);
  }
}
