package dev.holdfast.objectstore;

import dev.holdfast.world.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A store in memory: for tests and for throwing away. Keys are ASCII, so their string order is
/// their byte order.
public final class MemoryStore implements ObjectStore {
  private record Entry(StoredObject object, long modifiedMillis, String storageClass) {}

  private final ConcurrentSkipListMap<String, Entry> objects = new ConcurrentSkipListMap<>();
  private final AtomicLong versions = new AtomicLong();

  @Override
  public String name() {
    return "memory:";
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    checkNew(key);
    Entry entry = entry(read(body));
    objects.put(key, entry);
    return entry.object().version();
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    checkNew(key);
    Entry entry = entry(read(body));
    return objects.putIfAbsent(key, entry) == null
        ? new Creation.Created(entry.object().version())
        : new Creation.AlreadyExists();
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes) {
    checkNew(key);
    Entry entry = entry(bytes.clone());
    if (expected == null) {
      return objects.putIfAbsent(key, entry) == null
          ? new Swap.Swapped(entry.object().version())
          : new Swap.Conflict();
    }
    Entry before = objects.get(key);
    return before != null
            && before.object().version().equals(expected)
            && objects.replace(key, before, entry)
        ? new Swap.Swapped(entry.object().version())
        : new Swap.Conflict();
  }

  @Override
  public Optional<StoredObject> get(String key) {
    return Optional.ofNullable(objects.get(Keys.check(key))).map(Entry::object);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    byte[] bytes = existing(key);
    if (offset > bytes.length) {
      throw new StoreException.NotFound(key + " at " + offset);
    }
    return Arrays.copyOfRange(bytes, (int) offset, (int) Math.min(bytes.length, offset + length));
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    byte[] bytes = existing(key);
    return new Suffix(
        Arrays.copyOfRange(bytes, Math.max(0, bytes.length - length), bytes.length), bytes.length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) {
    List<Listed> listed = new ArrayList<>();
    Keys.checkPrefix(prefix);
    boolean fromPrefix = after.compareTo(prefix) < 0;
    for (Map.Entry<String, Entry> e :
        objects.tailMap(fromPrefix ? prefix : after, fromPrefix).entrySet()) {
      if (listed.size() == max || !e.getKey().startsWith(prefix)) {
        break;
      }
      Entry entry = e.getValue();
      listed.add(
          new Listed(
              e.getKey(),
              entry.object().bytes().length,
              entry.modifiedMillis(),
              entry.storageClass()));
    }
    return listed;
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    put(to, ObjectBody.of(existing(from)));
  }

  /// Takes any class.
  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    Entry changed =
        objects.computeIfPresent(
            key, (_, entry) -> new Entry(entry.object(), entry.modifiedMillis(), storageClass));
    if (changed == null) {
      throw new StoreException.NotFound(key);
    }
  }

  @Override
  public void deleteAll(Collection<String> keys) {
    keys.forEach(key -> objects.remove(Keys.check(key)));
  }

  @Override
  public void close() {}

  private byte[] existing(String key) throws StoreException {
    Entry entry = objects.get(key);
    if (entry == null) {
      throw new StoreException.NotFound(key);
    }
    return entry.object().bytes();
  }

  private void checkNew(String key) {
    Keys.check(key);
    String below = objects.ceilingKey(key + "/");
    boolean isPrefix = below != null && below.startsWith(key + "/");
    for (int slash = key.indexOf('/'); slash > 0; slash = key.indexOf('/', slash + 1)) {
      isPrefix |= objects.containsKey(key.substring(0, slash));
    }
    Promise.keep(!isPrefix, "no key is a path prefix of another", "key", key);
  }

  private Entry entry(byte[] bytes) {
    long version = versions.incrementAndGet();
    // A store in memory has no clock: "modified" is the order of writes.
    return new Entry(new StoredObject(bytes, new Version(Long.toString(version))), version, "");
  }

  private static byte[] read(ObjectBody body) throws StoreException {
    try (InputStream in = body.open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new StoreException.Denied("cannot read the body to be written", e);
    }
  }
}
