package dev.holdfast.objectstore.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/// Mutual exclusion by key among all threads of all processes that have a folder open.
final class FileKeyLocks {
  private static final int STRIPES = 64;

  // The operating system's file locks belong to a process, so threads of this process that have the
  // same folder open twice need a lock that both see.
  private static final ReentrantLock[] WITHIN_PROCESS = new ReentrantLock[STRIPES];

  static {
    for (int i = 0; i < STRIPES; i++) {
      WITHIN_PROCESS[i] = new ReentrantLock();
    }
  }

  private final Path folder;

  FileKeyLocks(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /// Runs `step` while nobody else runs one for `key`.
  <T> T locked(String key, Step<T> step) throws IOException {
    int stripe = Math.floorMod(key.hashCode(), STRIPES);
    ReentrantLock lock = WITHIN_PROCESS[stripe];
    lock.lock();
    // A file a stripe, opened each time: closing any channel of a file drops all the locks that
    // this process has on it, and an interrupt closes the channel it hits.
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(Integer.toString(stripe)),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      if (!held.isValid()) {
        throw new IOException("file lock lost [stripe=" + stripe + "]");
      }
      return step.run();
    } finally {
      lock.unlock();
    }
  }

  /// What is done under the lock.
  interface Step<T> {
    T run() throws IOException;
  }
}
