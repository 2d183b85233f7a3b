package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Promise;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The folders between a root and its objects: made durable once, removed when empty.
final class FileFolders {
  private static final int KNOWN_MAX = 100_000;

  /// How often a folder may be removed by somebody else just before it is used.
  private static final int TRIES_MAX = 100;

  private final Path root;
  private final Sync sync;
  private final Set<Path> durable = ConcurrentHashMap.newKeySet();

  /// @param sync see [#force]
  FileFolders(Path root, Sync sync) {
    this.root = root;
    this.sync = sync;
  }

  /// Runs `step`, which puts something into `folder`, when that folder exists; again when somebody
  /// removed the folder meanwhile because it was empty.
  <T> T inside(Path folder, FileKeyLocks.Step<T> step) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        make(folder);
        return step.run();
      } catch (NoSuchFileException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
        forget(folder);
      }
    }
  }

  private void make(Path folder) throws IOException {
    if (folder.equals(root) || durable.contains(folder)) {
      return;
    }
    Path parent = of(folder);
    make(parent);
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      Promise.keep(
          !Files.isRegularFile(folder),
          "no key is a path prefix of another",
          "prefix",
          root.relativize(folder));
    }
    // Also when somebody else made it: they may not have got as far as this.
    sync(parent);
    if (durable.size() >= KNOWN_MAX) {
      durable.clear();
    }
    durable.add(folder);
  }

  /// Removes `folder` and those above it as far as they are empty.
  void removeEmpty(Path folder) throws IOException {
    for (Path f = folder; !f.equals(root); f = of(f)) {
      try {
        Files.delete(f);
        durable.remove(f);
      } catch (NoSuchFileException e) {
        durable.remove(f);
      } catch (DirectoryNotEmptyException e) {
        return;
      } catch (FileSystemException e) {
        // Some systems report a folder in use in other words; an empty folder harms nobody.
        return;
      }
    }
  }

  private void forget(Path folder) {
    for (Path f = folder; !f.equals(root); f = of(f)) {
      durable.remove(f);
    }
  }

  /// Whether an object lies where `file` would need a folder: then there can be no such file.
  boolean isBelowFile(Path file) {
    Path above = of(file);
    while (!above.equals(root) && !Files.exists(above)) {
      above = of(above);
    }
    return Files.isRegularFile(above);
  }

  /// Makes the names in `folder` survive a power loss.
  void sync(Path folder) throws IOException {
    sync.of(folder);
  }

  /// The same by the operating system.
  static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// How names are made durable.
  interface Sync {
    void of(Path folder) throws IOException;
  }

  /// The folder a file lies in.
  static Path of(Path file) {
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  /// Takes away a folder that lies where an object belongs and is empty.
  ///
  /// @throws StoreException.Denied when it is none of the store's: somebody else has put it there
  void refuseUnlessEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
      durable.remove(folder);
    } catch (DirectoryNotEmptyException e) {
      if (folder.toString().endsWith(FileStore.REGISTER)) {
        throw new StoreException.Denied(
            "a folder lies where the store has an object: move it away [" + folder + "]", e);
      }
      Promise.keep(false, "no key is a path prefix of another", "prefix", root.relativize(folder));
    }
  }
}
