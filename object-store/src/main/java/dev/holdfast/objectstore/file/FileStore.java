package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.Keys;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A store in a local folder, for any number of processes of one machine: each object is a file of
/// exactly its bytes, so that readers can map it; an object last written by compare-and-set is a
/// [FileRegister] beside where that file would be.
///
/// A write is a temporary file made durable, then one rename (or one link, which fails when the
/// name is taken), then the folder made durable: two fsyncs, and one more for each new folder. When
/// a plain file and a register of one key exist, the file counts: what replaces one by the other
/// changes the plain file last (first, to take it away), and a crash between leaves one truth.
public final class FileStore implements ObjectStore {
  static final String REGISTER = "+register";
  private static final int READS_MAX = 100;

  private final Path root;
  private final StoreFolder folder;
  private final FileFolders folders;
  private final FileKeyLocks locks;
  private final FileWrites writes;
  private final AtomicLong registerWrites = new AtomicLong();

  /// Opens the folder and makes it when it does not exist; sweeps what crashed writers left more
  /// than an hour ago.
  ///
  /// @throws StoreException.Denied when it is not a folder or not writable
  public FileStore(Path root) throws StoreException {
    this(root, FileFolders::force);
  }

  /// @param sync makes the names in a folder durable
  FileStore(Path root, FileFolders.Sync sync) throws StoreException {
    try {
      folder = StoreFolder.open(root);
      this.root = folder.root();
      folders = new FileFolders(this.root, sync);
      locks = new FileKeyLocks(folder.locks());
      writes = new FileWrites(folder.temp(), folders);
    } catch (AccessDeniedException | ReadOnlyFileSystemException e) {
      throw new StoreException.Denied("the store's folder [" + root + "] is not writable", e);
    } catch (IOException e) {
      throw new StoreException.Denied(
          e instanceof FileAlreadyExistsException || Files.isRegularFile(root)
              ? "the store's path [" + root + "] is not a folder"
              : "cannot open the store's folder [" + root + "]: " + e.getMessage(),
          e);
    }
  }

  @Override
  public String name() {
    return "file:" + root;
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    Path target = file(key);
    return folder.sorted(
        "write of [" + key + "]",
        () -> writes.withTemporary(body, file -> place(key, file, target)));
  }

  private Version place(String key, Path file, Path target) throws IOException {
    Version version = plainVersion(file);
    boolean _ =
        locks.locked(
            key,
            () -> {
              writes.intoPlace(file, target);
              return Files.deleteIfExists(register(key));
            });
    folders.sync(FileFolders.of(target));
    return version;
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    Path target = file(key);
    return folder.sorted(
        "write of [" + key + "]",
        () -> {
          if (version(key) != null) {
            syncTold(target);
            return new Creation.AlreadyExists();
          }
          return writes.withTemporary(body, file -> create(key, file, target));
        });
  }

  private Creation create(String key, Path file, Path target) throws IOException {
    Version version = plainVersion(file);
    boolean created =
        locks.locked(
            key, () -> !Files.exists(register(key)) && writes.intoPlaceUnlessTaken(file, target));
    if (!created) {
      syncTold(target);
      return new Creation.AlreadyExists();
    }
    folders.sync(FileFolders.of(target));
    return new Creation.Created(version);
  }

  /// Before anybody is told that a write has been done already: it may be the caller's own, of a
  /// try whose folder could not be made durable, and counts as done from now on.
  private void syncTold(Path target) throws IOException {
    Path within = FileFolders.of(target);
    try {
      folders.sync(within);
    } catch (FileSystemException e) {
      if (Files.exists(within)) {
        throw e;
      }
      folder.require(); // what was there has been deleted since
    }
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    file(key);
    long number = registerWrites.incrementAndGet();
    String token = FileRegister.token(writes.instance(), number);
    ObjectBody body = ObjectBody.of(FileRegister.encode(writes.instance(), number, bytes));
    try {
      return folder.sorted(
          "compare-and-set of [" + key + "]",
          () ->
              Objects.equals(version(key), expected)
                  ? locks.locked(key, () -> swap(key, expected, body, token))
                  : conflict(key));
    } catch (StoreException.Unavailable e) {
      throw e.ofAttempt(token);
    }
  }

  private Swap swap(String key, @Nullable Version expected, ObjectBody body, String token)
      throws IOException {
    if (!Objects.equals(version(key), expected)) {
      return conflict(key);
    }
    Path register = register(key);
    writes.withTemporary(
        body,
        file -> {
          writes.intoPlace(file, register);
          folders.sync(FileFolders.of(register));
          return file;
        });
    if (Files.deleteIfExists(file(key))) {
      folders.sync(FileFolders.of(register));
    }
    return new Swap.Swapped(new Version(token));
  }

  private Swap conflict(String key) throws IOException {
    syncTold(file(key));
    return new Swap.Conflict();
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    file(key);
    return folder.sorted("read of [" + key + "]", () -> read(key));
  }

  /// Looks again while another writer is between plain file and register.
  private Optional<StoredObject> read(String key) throws IOException {
    Path file = file(key);
    for (int reads = 1; reads <= READS_MAX; reads++) {
      Version before = version(key);
      if (before == null) {
        return Optional.empty();
      }
      try {
        byte[] bytes = Files.readAllBytes(file);
        if (before.equals(version(key))) {
          return Optional.of(new StoredObject(bytes, before));
        }
        continue;
      } catch (NoSuchFileException e) {
        // Then it is a register, or was deleted: both are looked for below.
      }
      Optional<FileRegister> register = readRegister(key);
      if (register.isPresent()) {
        return Optional.of(
            new StoredObject(register.get().bytes(), new Version(register.get().token())));
      }
    }
    throw new StoreException.Unavailable("object changes too fast to be read [" + key + "]", null);
  }

  private Optional<FileRegister> readRegister(String key) throws IOException {
    return FileRegister.read(key, register(key));
  }

  private @Nullable Version registerVersion(String key) throws IOException {
    try {
      return readRegister(key).map(register -> new Version(register.token())).orElse(null);
    } catch (StoreException.Denied e) {
      Version damaged = e.damagedVersion();
      if (damaged == null) {
        throw e;
      }
      return damaged;
    }
  }

  private @Nullable Version version(String key) throws IOException {
    try {
      // Twice, because a plain file may take the register's place between the two looks.
      for (int look = 0; look < 2; look++) {
        try {
          return plainVersion(file(key));
        } catch (NoSuchFileException e) {
          Version register = registerVersion(key);
          if (register != null) {
            return register;
          }
        }
      }
      folder.require();
      return null;
    } catch (FileSystemException e) {
      if (folders.isBelowFile(file(key))) {
        return null;
      }
      throw e;
    }
  }

  /// Each write makes a new file, so inode, time and size tell writes apart.
  private static Version plainVersion(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      throw new NoSuchFileException(file.toString());
    }
    return new Version(
        attributes.fileKey()
            + "-"
            + attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS)
            + "-"
            + attributes.size());
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    return folder.sorted("read of [" + key + "]", () -> slice(key, offset, length).bytes());
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    return folder.sorted("read of [" + key + "]", () -> slice(key, -1, length));
  }

  /// @param offset -1 for the last bytes
  private Suffix slice(String key, long offset, int length) throws IOException {
    Path file = file(key);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long whole = channel.size();
      long begin = offset < 0 ? Math.max(0, whole - length) : offset;
      ByteBuffer bytes = ByteBuffer.wrap(new byte[sliceLength(key, whole, begin, length)]);
      while (bytes.hasRemaining() && channel.read(bytes, begin + bytes.position()) >= 0) {}
      return new Suffix(bytes.array(), whole);
    } catch (NoSuchFileException e) {
      byte[] bytes = whole(key);
      long begin = offset < 0 ? Math.max(0, bytes.length - length) : offset;
      long end = begin + sliceLength(key, bytes.length, begin, length);
      return new Suffix(Arrays.copyOfRange(bytes, (int) begin, (int) end), bytes.length);
    } catch (IOException e) {
      throw Files.isDirectory(file) || folders.isBelowFile(file)
          ? new StoreException.NotFound(key)
          : e;
    }
  }

  private static int sliceLength(String key, long whole, long begin, int length)
      throws StoreException {
    if (begin > whole) {
      throw new StoreException.NotFound(key + " at " + begin);
    }
    return (int) Math.min(length, whole - begin);
  }

  private byte[] whole(String key) throws StoreException {
    return get(key).orElseThrow(() -> new StoreException.NotFound(key)).bytes();
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    FileListing listing = new FileListing(root, Keys.checkPrefix(prefix), after, max);
    return folder.sorted(
        "list of [" + prefix + "]",
        () -> {
          List<Listed> listed = listing.read();
          if (listed.isEmpty()) {
            folder.require();
          }
          return listed;
        });
  }

  /// A file is never changed, so a copy is another name of it: no byte is moved, and each name may
  /// be deleted or replaced without the other.
  @Override
  public void copy(String from, String to) throws StoreException {
    Path source = file(from);
    if (!Files.isRegularFile(source)) {
      put(to, ObjectBody.of(whole(from)));
      return;
    }
    try {
      Path target = file(to);
      Version _ =
          folder.sorted(
              "copy to [" + to + "]",
              () -> writes.withTemporary(source, file -> place(to, file, target)));
    } catch (StoreException.Unavailable e) {
      if (e.getCause() instanceof NoSuchFileException && !Files.exists(source)) {
        throw new StoreException.NotFound(from);
      }
      throw e;
    }
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    for (String key : keys) {
      Path target = file(key);
      if (folders.isBelowFile(target)) {
        continue;
      }
      folder.sorted(
          "delete of [" + key + "]",
          () -> {
            boolean deleted =
                locks.locked(
                    key,
                    () -> {
                      boolean register = Files.deleteIfExists(register(key));
                      return (!Files.isDirectory(target) && Files.deleteIfExists(target))
                          || register;
                    });
            if (deleted) {
              folders.removeEmpty(FileFolders.of(target));
            } else {
              folder.require();
            }
            return deleted;
          });
    }
  }

  @Override
  public Optional<Path> localFile(String key) {
    Path file = file(key);
    return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
  }

  @Override
  public void close() {}

  private Path file(String key) {
    return root.resolve(Keys.check(key));
  }

  private Path register(String key) {
    return root.resolve(key + REGISTER);
  }
}
