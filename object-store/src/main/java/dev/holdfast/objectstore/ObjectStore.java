package dev.holdfast.objectstore;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An object store (§3.1): named, whole objects; strong read-after-write; conditional writes.
///
/// Every method blocks (call it on a virtual thread) and has a time limit of the implementation's.
/// No method retries a conditional write by itself without recognising its own earlier success. An
/// object is either plain (put, put-if-absent, copy; read in any way) or a register
/// (compare-and-set; small, read with `get`): a store may keep its own marks in a register, which
/// `get` takes off and the ranges and lengths of other reads may count. Keys are relative to the
/// store's prefix, made of `[A-Za-z0-9._~-]` and `/`, and no key may be a path prefix of another.
public interface ObjectStore extends AutoCloseable {
  /// For people: `file:/path`, `s3://bucket/prefix`.
  String name();

  /// Writes the object whatever was there.
  Version put(String key, ObjectBody body) throws StoreException;

  /// Writes the object if there is none of that key: of racing callers exactly one gets `Created`.
  /// Our own earlier success behind a lost answer counts as `Created`.
  Creation putIfAbsent(String key, ObjectBody body) throws StoreException;

  /// Replaces a small object if its version is still `expected`: of racing callers exactly one gets
  /// `Swapped`. Implementations add what they need to make each write's version unique; the bytes
  /// read back are the bytes given.
  ///
  /// @param expected the version read before, or null for "there is no such object"
  Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes) throws StoreException;

  /// The whole object with its version, or empty when there is none.
  Optional<StoredObject> get(String key) throws StoreException;

  /// Bytes `[offset, offset + length)`; fewer only when the object ends before.
  ///
  /// @throws StoreException.NotFound when there is no such object or `offset` lies beyond its end
  byte[] getRange(String key, long offset, int length) throws StoreException;

  /// The last `length` bytes (or all, when it is shorter) and the object's whole length, in one
  /// request.
  ///
  /// @throws StoreException.NotFound when there is no such object
  Suffix getSuffix(String key, int length) throws StoreException;

  /// Objects whose key begins with `prefix` and is greater than `after`, in ascending order of
  /// their UTF-8 bytes. What no key may be called is left out ([Keys#isKey]): it is not ours.
  ///
  /// @param after exclusive; empty for the beginning
  /// @param max at most this many are returned
  List<Listed> list(String prefix, String after, int max) throws StoreException;

  /// Copies within the store, without moving bytes through this process where the store can.
  void copy(String from, String to) throws StoreException;

  /// Moves an object to another of the provider's storage classes, in place: it is there all the
  /// time with the same bytes, and may count as modified now. A move that a deletion overtakes may
  /// bring the object back.
  ///
  /// @param storageClass as the provider calls it
  /// @throws StoreException.NotFound when there is no such object
  /// @throws StoreException.Denied when the store has no such class
  default void changeClass(String key, String storageClass) throws StoreException {
    throw new StoreException.Denied("[" + name() + "] has no storage classes", null);
  }

  /// Deletes all of them; those that do not exist are no error.
  void deleteAll(Collection<String> keys) throws StoreException;

  /// Where the object lies as a file of this machine, for stores whose objects are files: readers
  /// map it and cache nothing. The file may be deleted at any time after; an existing mapping stays
  /// readable.
  default Optional<Path> localFile(String key) {
    return Optional.empty();
  }

  /// The object that is read instead of one whose copy may not be there yet; empty where the object
  /// itself is read. Lists show only what is there.
  default Optional<String> lender(String key) throws StoreException {
    return Optional.empty();
  }

  /// The request that has failed longest of those that this object is trying again, to tell those
  /// why who would wait for it; empty while none fails, and where nobody tries again.
  ///
  /// @param prefix of the request's key
  default Optional<StoreTrouble> trouble(String prefix) {
    return Optional.empty();
  }

  /// The request that has failed longest of all that this process sends to the same store, whoever
  /// sends them, those given up a moment ago among them; empty while none fails, and where nobody
  /// tries again.
  default Optional<StoreTrouble> longestTrouble() {
    return Optional.empty();
  }

  /// Whether a request that fails is tried until it succeeds, however long that takes.
  default boolean triesForever() {
    return false;
  }

  @Override
  void close();

  /// What a conditional write compares: opaque, unique for each write of a key.
  record Version(String token) {
    /// The version of no object: a compare-and-set that expects it conflicts. It stands where a
    /// write is known to have happened and its version is not.
    public static final Version UNKNOWN = new Version("?");

    /// Whether the compare-and-set of that name made this version.
    ///
    /// @param attempt from [StoreException.Unavailable#attempt()]
    public boolean isOf(String attempt) {
      return token.equals(attempt) || token.endsWith("#" + attempt);
    }
  }

  /// An object and the version it was read at.
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record StoredObject(byte[] bytes, Version version) {}

  /// The tail of an object.
  ///
  /// @param objectLength bytes of the whole object
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Suffix(byte[] bytes, long objectLength) {}

  /// One line of a list.
  ///
  /// @param modifiedMillis by the store's clock, epoch milliseconds
  /// @param storageClass as the provider calls it; empty where there are none, or it does not say
  record Listed(String key, long length, long modifiedMillis, String storageClass) {
    /// In a store that has no classes.
    public Listed(String key, long length, long modifiedMillis) {
      this(key, length, modifiedMillis, "");
    }
  }

  /// How a put-if-absent ended.
  sealed interface Creation {
    record Created(Version version) implements Creation {}

    record AlreadyExists() implements Creation {}
  }

  /// How a compare-and-set ended.
  sealed interface Swap {
    record Swapped(Version version) implements Swap {}

    record Conflict() implements Swap {}
  }
}
