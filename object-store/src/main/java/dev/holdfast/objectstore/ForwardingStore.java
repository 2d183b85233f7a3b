package dev.holdfast.objectstore;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A store that hands each request to another, and changes what it overrides.
public abstract class ForwardingStore implements ObjectStore {
  /// What is asked.
  protected final ObjectStore store;

  protected ForwardingStore(ObjectStore store) {
    this.store = store;
  }

  /// What takes requests of a kind.
  protected ObjectStore to(RequestKind kind) {
    return store;
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return to(RequestKind.PUT).put(key, body);
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return to(RequestKind.PUT).putIfAbsent(key, body);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return to(RequestKind.PUT).compareAndSet(key, expected, bytes);
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return to(RequestKind.GET).get(key);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return to(RequestKind.GET).getRange(key, offset, length);
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return to(RequestKind.GET).getSuffix(key, length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return to(RequestKind.LIST).list(prefix, after, max);
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    to(RequestKind.COPY).copy(from, to);
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    to(RequestKind.TRANSITION).changeClass(key, storageClass);
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    to(RequestKind.DELETE).deleteAll(keys);
  }

  @Override
  public Optional<Path> localFile(String key) {
    return to(RequestKind.GET).localFile(key);
  }

  @Override
  public Optional<String> lender(String key) throws StoreException {
    return store.lender(key);
  }

  @Override
  public Optional<StoreTrouble> trouble(String prefix) {
    return store.trouble(prefix);
  }

  @Override
  public Optional<StoreTrouble> longestTrouble() {
    return store.longestTrouble();
  }

  @Override
  public boolean triesForever() {
    return to(RequestKind.GET).triesForever();
  }

  @Override
  public void close() {
    store.close();
  }
}
