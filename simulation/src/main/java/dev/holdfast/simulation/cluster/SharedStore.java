package dev.holdfast.simulation.cluster;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.simulation.schedule.Alarm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A store that a cluster shares with somebody who keeps notes in it: under names that none of the
/// cluster's objects has, in its folders and before and behind its objects. Every process lists
/// them; none may be stopped by them, and none may delete one.
public final class SharedStore implements ObjectStore {
  private static final String NOTES = "notes";
  private static final List<String> NAMES = List.of("." + NOTES, "0" + NOTES, NOTES, "~" + NOTES);

  private final MemoryStore ours;
  private final MemoryStore theirs = new MemoryStore();
  private final Alarm alarm;

  SharedStore(MemoryStore ours, Alarm alarm) {
    this.ours = ours;
    this.alarm = alarm;
  }

  /// Whether it is theirs.
  static boolean isTheirs(Object listed) {
    return listed instanceof Listed one && one.key().endsWith(NOTES);
  }

  /// Puts notes into some folder that the cluster has, or beside all of them. Not where whatever
  /// lies there may hold blobs (decision 027), nor where everything is thrown away in the end.
  ///
  /// @return their key
  public String leaveNotes(SplittableRandom random) throws StoreException {
    List<String> keys =
        ours.list("", "", Integer.MAX_VALUE).stream()
            .map(Listed::key)
            .filter(key -> !key.startsWith("pins/") && !key.startsWith("trash/"))
            .toList();
    String folder = keys.isEmpty() ? "" : folder(keys.get(random.nextInt(keys.size())), random);
    String key = folder + NAMES.get(random.nextInt(NAMES.size()));
    Version _ = theirs.put(key, ObjectBody.of(NOTES.getBytes(StandardCharsets.UTF_8)));
    return key;
  }

  /// One of those that the object lies in.
  private static String folder(String key, SplittableRandom random) {
    List<String> folders = new ArrayList<>(List.of(""));
    for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      folders.add(key.substring(0, slash + 1));
    }
    return folders.get(random.nextInt(folders.size()));
  }

  private MemoryStore of(String key) {
    return theirs.get(key).isPresent() ? theirs : ours;
  }

  @Override
  public String name() {
    return ours.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return ours.put(key, body);
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    return ours.putIfAbsent(key, body);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes) {
    return ours.compareAndSet(key, expected, bytes);
  }

  @Override
  public Optional<StoredObject> get(String key) {
    return of(key).get(key);
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return of(key).getRange(key, offset, length);
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return of(key).getSuffix(key, length);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) {
    List<Listed> strange = theirs.list(prefix, after, max);
    if (strange.isEmpty()) {
      return ours.list(prefix, after, max);
    }
    List<Listed> all = new ArrayList<>(strange);
    all.addAll(ours.list(prefix, after, max));
    all.sort(Comparator.comparing(Listed::key));
    return all.size() > max ? List.copyOf(all.subList(0, max)) : all;
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    ours.copy(from, to);
  }

  @Override
  public void deleteAll(Collection<String> keys) {
    for (String key : keys) {
      if (theirs.get(key).isPresent()) {
        alarm.violated("what is not the cluster's own is deleted [key=" + key + "]");
      }
    }
    ours.deleteAll(keys);
  }

  @Override
  public void close() {}
}
