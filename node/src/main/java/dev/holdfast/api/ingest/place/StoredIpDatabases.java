package dev.holdfast.api.ingest.place;

import com.maxmind.db.Reader;
import dev.holdfast.document.ingest.IpDatabase;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The databases of addresses that a person has put into the store, under `ip-databases/`. Which
/// there are is looked up once a minute while somebody asks; one that has changed is opened anew,
/// and until then, and where it cannot be opened, the one before answers.
public final class StoredIpDatabases {
  /// Under which they lie in the store.
  public static final String PREFIX = "ip-databases/";

  /// How many there may be.
  private static final int FILES_MAX = 1000;

  private static final int CHUNK_BYTES = 4 << 20;
  private static final long LOOK_EVERY_NANOS = 60_000_000_000L;
  private static final Logger LOG = LoggerFactory.getLogger(StoredIpDatabases.class);

  private final ObjectStore store;
  private final Clock clock;
  private final Path folder;
  private final ReentrantLock looking = new ReentrantLock();
  private final Map<String, StoredIpDatabase> opened = new ConcurrentHashMap<>();
  private volatile Seen seen = new Seen(new TreeMap<>(), 0);

  /// @param folder of this node alone, for copies of files of stores that are elsewhere
  public StoredIpDatabases(ObjectStore store, Clock clock, Path folder) {
    this.store = store;
    this.clock = clock;
    this.folder = folder;
  }

  /// @param nextNanos when to look again; 0 for never looked
  private record Seen(SortedMap<String, Listed> files, long nextNanos) {}

  /// The one of that file name; null when there is none.
  public @Nullable IpDatabase find(String file) {
    look();
    Listed listed = seen.files().get(file);
    StoredIpDatabase now = opened.get(file);
    if (listed == null || (now != null && now.isOf(listed))) {
      return listed == null ? null : now;
    }
    return open(file, listed);
  }

  /// All that are there, by file name, with when they were put.
  public SortedMap<String, Listed> files() {
    look();
    return seen.files();
  }

  private void look() {
    Seen last = seen;
    boolean isDue = last.nextNanos() == 0 || clock.nanoTime() - last.nextNanos() >= 0;
    // Who comes while somebody looks goes on with what is known; the first of all waits.
    if (!isDue || (last.nextNanos() != 0 && !looking.tryLock())) {
      return;
    }
    if (last.nextNanos() == 0) {
      looking.lock();
    }
    try {
      if (seen.equals(last)) {
        seen = new Seen(listed(last.files()), Math.max(1, clock.nanoTime() + LOOK_EVERY_NANOS));
      }
    } finally {
      looking.unlock();
    }
  }

  private SortedMap<String, Listed> listed(SortedMap<String, Listed> before) {
    try {
      SortedMap<String, Listed> files = new TreeMap<>();
      for (Listed one : store.list(PREFIX, "", FILES_MAX)) {
        files.put(one.key().substring(PREFIX.length()), one);
      }
      opened.keySet().retainAll(files.keySet());
      return files;
    } catch (IOException e) {
      LOG.warn("databases of addresses cannot be listed [why={}]", e.toString());
      return before;
    }
  }

  private @Nullable StoredIpDatabase open(String file, Listed listed) {
    looking.lock();
    try {
      StoredIpDatabase before = opened.get(file);
      if (before != null && before.isOf(listed)) {
        return before;
      }
      StoredIpDatabase now = new StoredIpDatabase(listed, reader(listed));
      opened.put(file, now);
      return now;
    } catch (IOException | RuntimeException e) {
      LOG.warn("database of addresses cannot be opened [file={}, why={}]", file, e.toString());
      StoredIpDatabase before = opened.get(file);
      StoredIpDatabase kept = new StoredIpDatabase(listed, before == null ? null : before.reader());
      opened.put(file, kept);
      return kept;
    } finally {
      looking.unlock();
    }
  }

  private Reader reader(Listed listed) throws IOException {
    Optional<Path> local = store.localFile(listed.key());
    if (local.isPresent()) {
      return new Reader(local.get().toFile());
    }
    Files.createDirectories(folder);
    Path copy = Files.createTempFile(folder, "ip", ".mmdb");
    try {
      try (OutputStream out = Files.newOutputStream(copy)) {
        for (long at = 0; at < listed.length(); at += CHUNK_BYTES) {
          int length = (int) Math.min(CHUNK_BYTES, listed.length() - at);
          out.write(store.getRange(listed.key(), at, length));
        }
      }
      return new Reader(copy.toFile());
    } finally {
      Files.deleteIfExists(copy); // what is mapped stays readable
    }
  }
}
