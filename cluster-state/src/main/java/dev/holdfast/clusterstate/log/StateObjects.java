package dev.holdfast.clusterstate.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.Json;
import dev.holdfast.world.NewerFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The objects of the state log, `cluster/state/<term>/<ordinal>`: one is a whole state, a delta,
/// or a fence.
public final class StateObjects {
  static final String FOLDER = "cluster/state/";

  private static final String MAGIC = "HFCS";
  private static final int VERSION = 1;
  private static final int LIST_MAX = 1000;
  private static final int NAME_DIGITS = 16;
  private static final Pattern NAME = Pattern.compile("[0-7][0-9a-f]{15}/[0-7][0-9a-f]{15}");

  private final ObjectStore store;

  StateObjects(ObjectStore store) {
    this.store = store;
  }

  static String key(long term, long ordinal) {
    return String.format(Locale.ROOT, "%s%016x", folder(term), ordinal);
  }

  /// Whether an object has the name of a state or a fence. Others in the folder are not ours.
  public static boolean isKey(String key) {
    return key.startsWith(FOLDER) && NAME.matcher(key.substring(FOLDER.length())).matches();
  }

  private static String folder(long term) {
    return String.format(Locale.ROOT, "%s%016x/", FOLDER, term);
  }

  Creation create(String key, ObjectNode json) throws IOException {
    return store.putIfAbsent(
        key, ObjectBody.of(ChecksummedBytes.seal(MAGIC, VERSION, Json.bytes(json))));
  }

  /// An object that should be there.
  ///
  /// @throws IncompleteStateException when it is not, or is damaged
  /// @throws NewerFormatException when a newer Holdfast wrote it
  JsonNode read(long term, long ordinal) throws IOException {
    String key = key(term, ordinal);
    Optional<StoredObject> stored = store.get(key);
    if (stored.isEmpty()) {
      throw new IncompleteStateException(key, "is missing", null);
    }
    try {
      return open(stored.get().bytes(), key);
    } catch (NewerFormatException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new IncompleteStateException(key, "is damaged: " + e.getMessage(), e);
    }
  }

  public static JsonNode open(byte[] bytes, String key) throws IOException {
    return Json.parse(ChecksummedBytes.open(MAGIC, VERSION, bytes, key));
  }

  static boolean isFence(JsonNode object) {
    return object.path("kind").asText().equals("fence");
  }

  /// The ordinals of one term.
  NavigableSet<Long> ordinals(long term) throws IOException {
    return all(folder(term)).getOrDefault(term, new TreeSet<>());
  }

  /// The ordinals of every term.
  SortedMap<Long, NavigableSet<Long>> all() throws IOException {
    return all(FOLDER);
  }

  private SortedMap<Long, NavigableSet<Long>> all(String prefix) throws IOException {
    SortedMap<Long, NavigableSet<Long>> ordinals = new TreeMap<>();
    String after = "";
    while (true) {
      List<Listed> page = store.list(prefix, after, LIST_MAX);
      for (Listed listed : page) {
        if (isKey(listed.key())) {
          String name = listed.key().substring(FOLDER.length());
          long term = Long.parseUnsignedLong(name, 0, NAME_DIGITS, 16);
          long ordinal = Long.parseUnsignedLong(name, NAME_DIGITS + 1, name.length(), 16);
          ordinals.computeIfAbsent(term, _ -> new TreeSet<>()).add(ordinal);
        }
      }
      if (page.size() < LIST_MAX) {
        return ordinals;
      }
      after = page.getLast().key();
    }
  }

  void delete(long term, Iterable<Long> ordinals) throws IOException {
    List<String> keys = new ArrayList<>();
    ordinals.forEach(ordinal -> keys.add(key(term, ordinal)));
    if (!keys.isEmpty()) {
      store.deleteAll(keys);
    }
  }
}
