package dev.holdfast.scrub;

import dev.holdfast.clusterstate.log.StateObjects;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.blob.BlobCheck;
import dev.holdfast.cost.LedgerBytes;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.translog.LogCheck;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.NewerFormatException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads whole objects of a store and compares every byte with the checksums that they carry. What
/// lies among them under a name that none of ours has is not ours, and no damage.
public final class ObjectCheck {
  private final ObjectStore store;
  private final ByteRate rate;

  ObjectCheck(ObjectStore store, ByteRate rate) {
    this.store = store;
    this.rate = rate;
  }

  /// What came of one object.
  ///
  /// @param damages where it is not what was written; none when it is whole
  /// @param pages of 64 KiB that were compared, for a blob
  /// @param isKnown whether it is of a kind that can be checked: what others put there is not
  public record Checked(List<CorruptObjectException> damages, long pages, boolean isKnown) {
    private static final Checked UNKNOWN = new Checked(List.of(), 0, false);

    static Checked of(@Nullable CorruptObjectException damage) {
      return new Checked(damage == null ? List.of() : List.of(damage), 0, true);
    }
  }

  /// The magic of small objects that are sealed; empty for others.
  private static String sealedKind(String key) {
    if (StateObjects.isKey(key)) {
      return "HFCS";
    }
    return switch (key) {
      case "cluster/lease" -> "HFLE";
      case "cluster/secret" -> "HFKY";
      default ->
          key.startsWith("pins/points-in-time/")
              ? "HFPT"
              : key.startsWith(SnapshotRepository.OWN_FOLDER)
                  ? ManifestBytes.MAGIC
                  : key.startsWith(LedgerBytes.FOLDER) ? LedgerBytes.MAGIC : "";
    };
  }

  /// @return empty when the object was deleted meanwhile
  Optional<Checked> check(Listed object) throws IOException, InterruptedException {
    String key = object.key();
    try {
      if (BlobId.isKey(key)) {
        BlobCheck.Result blob = BlobCheck.check(store, key, rate::take);
        return Optional.of(new Checked(blob.damages(), blob.pages(), true));
      }
      if (LogCheck.isKey(key)) {
        return whole(object, bytes -> LogCheck.check(key, bytes));
      }
      String kind = sealedKind(key);
      return kind.isEmpty()
          ? Optional.of(Checked.UNKNOWN)
          : whole(object, bytes -> ChecksummedBytes.check(kind, bytes, key));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    } catch (NewerFormatException e) {
      return Optional.of(Checked.UNKNOWN); // whoever wrote it can tell
    }
  }

  /// Compares all bytes of a small object.
  private interface Comparison {
    void run(byte[] bytes) throws IOException;
  }

  private Optional<Checked> whole(Listed object, Comparison comparison)
      throws IOException, InterruptedException {
    rate.take(object.length());
    try {
      Optional<StoredObject> stored = store.get(object.key());
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      comparison.run(stored.get().bytes());
      return Optional.of(Checked.of(null));
    } catch (IOException e) {
      CorruptObjectException damage = CorruptObjectException.in(e);
      if (damage == null) {
        throw e;
      }
      return Optional.of(Checked.of(damage));
    }
  }
}
