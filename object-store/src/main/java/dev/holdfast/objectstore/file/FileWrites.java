package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.Promise;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// How bytes become a file under their final name, all or nothing: a temporary file on the same
/// file system, made durable, then renamed or linked.
final class FileWrites {
  private static final Duration TEMP_AGE_MAX = Duration.ofHours(1);

  private final Path temp;
  private final FileFolders folders;
  private final long instance;
  private final AtomicLong files = new AtomicLong();

  /// Sweeps what crashed writers left in `temp` more than an hour ago.
  FileWrites(Path temp, FileFolders folders) throws IOException {
    this.temp = Files.createDirectories(temp);
    this.folders = folders;
    // Nobody else can have made a file of that name: the number is ours for all time.
    Path marker = Files.createTempFile(temp, "", "");
    instance = Long.parseUnsignedLong(String.valueOf(marker.getFileName()));
    sweep(Files.getLastModifiedTime(marker));
    Files.delete(marker);
  }

  private void sweep(FileTime now) throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(temp)) {
      for (Path file : FileFailures.all(left)) {
        if (isLeftOver(file, now)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isLeftOver(Path file, FileTime now) throws IOException {
    try {
      long ageMillis = now.toMillis() - Files.getLastModifiedTime(file).toMillis();
      return ageMillis > TEMP_AGE_MAX.toMillis();
    } catch (NoSuchFileException e) {
      return false; // its writer has just ended
    }
  }

  /// A number that no other opening of this folder has.
  long instance() {
    return instance;
  }

  /// Writes `body` to a temporary file, lets `use` give it its place, and takes away what is left.
  <T> T withTemporary(ObjectBody body, Use<T> use) throws IOException {
    Path file = free();
    try {
      write(body, file);
      return use.of(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /// The same with the bytes of a file that nobody changes: under a second name of that file, where
  /// it may have one, or else in a copy.
  <T> T withTemporary(Path source, Use<T> use) throws IOException {
    Path file = free();
    try {
      try {
        Files.createLink(file, source);
      } catch (NoSuchFileException e) {
        throw e;
      } catch (FileSystemException | UnsupportedOperationException e) {
        write(ObjectBody.of(source, Files.size(source)), file);
      }
      return use.of(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private Path free() {
    return temp.resolve(Long.toUnsignedString(instance) + "-" + files.incrementAndGet());
  }

  private static void write(ObjectBody body, Path file) throws IOException {
    try (InputStream in = body.open();
        FileOutputStream out = new FileOutputStream(file.toFile())) {
      long length = in.transferTo(out);
      Promise.keep(length == body.length(), "a body has its length", "length", length);
      out.getFD().sync();
    }
  }

  /// Renames `file` to `target`, whatever was there.
  void intoPlace(Path file, Path target) throws IOException {
    Path folder = FileFolders.of(target);
    try {
      folders.inside(folder, () -> Files.move(file, target, StandardCopyOption.ATOMIC_MOVE));
    } catch (FileSystemException e) {
      if (!Files.isDirectory(target)) {
        throw e;
      }
      folders.refuseUnlessEmpty(target);
      folders.inside(folder, () -> Files.move(file, target, StandardCopyOption.ATOMIC_MOVE));
    }
  }

  /// Gives `file` the second name `target` unless that name is taken.
  boolean intoPlaceUnlessTaken(Path file, Path target) throws IOException {
    Path folder = FileFolders.of(target);
    try {
      folders.inside(folder, () -> Files.createLink(target, file));
      return true;
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(target)) {
        return false;
      }
      folders.refuseUnlessEmpty(target);
      folders.inside(folder, () -> Files.createLink(target, file));
      return true;
    }
  }

  /// What is done with a temporary file.
  interface Use<T> {
    T of(Path file) throws IOException;
  }
}
