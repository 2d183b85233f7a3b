package dev.holdfast.compoundcommit.store;

import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Looks whether inherited blobs that a LIST has not shown can be read: in the folder of who lends
/// them, or, if nobody does any more, under their own name by now (decision 038). A LIST a folder.
final class LentBlobKeys {
  /// The length of what follows the folder of a shard.
  private static final int NAME_LENGTH = 33;

  private static final int LIST_PAGE = 1000;

  private final ObjectStore store;
  private final Map<String, Set<String>> listed = new HashMap<>();

  LentBlobKeys(ObjectStore store) {
    this.store = store;
  }

  /// @param key of an inherited blob
  boolean areThere(String key) throws IOException {
    Optional<String> lender = store.lender(key);
    return (lender.isPresent() && isListed(lender.get())) || !store.list(key, "", 1).isEmpty();
  }

  private boolean isListed(String key) throws IOException {
    String folder = key.substring(0, key.length() - NAME_LENGTH);
    Set<String> known = listed.get(folder);
    if (known == null) {
      known = list(folder);
      listed.put(folder, known);
    }
    return known.contains(key);
  }

  private Set<String> list(String folder) throws IOException {
    Set<String> keys = new HashSet<>();
    String after = "";
    while (true) {
      List<ObjectStore.Listed> page = store.list(folder, after, LIST_PAGE);
      page.forEach(one -> keys.add(one.key()));
      if (page.size() < LIST_PAGE) {
        return keys;
      }
      after = page.getLast().key();
    }
  }
}
