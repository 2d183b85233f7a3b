package dev.holdfast.objectstore;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The objects of a store whose keys begin with a prefix, as a store of their own. Whoever opened
/// the whole closes it.
public final class PartOfStore implements ObjectStore {
  private final ObjectStore whole;
  private final String prefix;

  /// @param prefix ends with a slash
  public PartOfStore(ObjectStore whole, String prefix) {
    if (!prefix.endsWith("/")) {
      throw new IllegalArgumentException("[" + prefix + "] does not end with a slash");
    }
    this.whole = whole;
    this.prefix = prefix;
  }

  @Override
  public String name() {
    String name = whole.name();
    return name + (name.endsWith("/") ? "" : "/") + prefix.substring(0, prefix.length() - 1);
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return whole.put(prefix + key, body);
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return whole.putIfAbsent(prefix + key, body);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    return whole.compareAndSet(prefix + key, expected, bytes);
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    return whole.get(prefix + key);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return whole.getRange(prefix + key, offset, length);
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return whole.getSuffix(prefix + key, length);
  }

  @Override
  public List<Listed> list(String begin, String after, int max) throws StoreException {
    return whole.list(prefix + begin, after.isEmpty() ? "" : prefix + after, max).stream()
        .map(object ->
            new Listed(
                object.key().substring(prefix.length()),
                object.length(),
                object.modifiedMillis(),
                object.storageClass()))
        .toList();
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    whole.copy(prefix + from, prefix + to);
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    whole.changeClass(prefix + key, storageClass);
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    whole.deleteAll(keys.stream().map(key -> prefix + key).toList());
  }

  @Override
  public Optional<Path> localFile(String key) {
    return whole.localFile(prefix + key);
  }

  @Override
  public Optional<StoreTrouble> trouble(String begin) {
    return whole.trouble(prefix + begin);
  }

  @Override
  public Optional<StoreTrouble> longestTrouble() {
    return whole.longestTrouble();
  }

  @Override
  public void close() {}
}
