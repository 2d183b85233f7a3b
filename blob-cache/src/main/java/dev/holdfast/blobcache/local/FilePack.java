package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/// Small files that are written one after the other into one file of the disk. It goes when no more
/// fits into it and all of them are deleted.
final class FilePack {
  /// Files begin at multiples of this, as they do in Lucene's compound files.
  private static final int ALIGNMENT = 64;

  /// Of the file: what is not written yet takes no room on the disk.
  static final int BYTES = 1 << 20;

  private final Path path;
  private final SharedFile file;

  // Guarded by this.
  private int end;
  private int files;
  private boolean isFull;

  private FilePack(Path path, SharedFile file) {
    this.path = path;
    this.file = file;
  }

  /// Makes an empty one.
  ///
  /// @param files the folder, which maps what it opens
  /// @param name of a file that is not there
  static FilePack create(Path folder, Directory files, String name) throws IOException {
    Path path = folder.resolve(name);
    Files.createFile(path);
    boolean isMade = false;
    try {
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(BYTES); // mapped before anything is written
      }
      FilePack pack = new FilePack(path, new SharedFile(files, path));
      isMade = true;
      return pack;
    } finally {
      if (!isMade) {
        IOUtils.deleteFilesIgnoringExceptions(path);
      }
    }
  }

  /// Whether a file of that length fits.
  synchronized boolean fits(int length) {
    return !isFull && end + length <= BYTES;
  }

  /// Adds a file that fits; one caller at a time. Between two nothing is kept open: a node has
  /// thousands of packs, and may have few open files.
  Packed add(byte[] bytes) throws IOException {
    int start;
    synchronized (this) {
      start = end;
    }
    ByteBuffer left = ByteBuffer.wrap(bytes);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      while (left.hasRemaining()) {
        channel.write(left, start + (long) left.position());
      }
    }
    synchronized (this) {
      end = (start + bytes.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      files++;
    }
    return new Packed(this, start, bytes.length);
  }

  /// Nothing is added any more.
  synchronized void end() {
    isFull = true;
    dropIfUnneeded();
  }

  private synchronized void deleted() {
    files--;
    dropIfUnneeded();
  }

  private void dropIfUnneeded() {
    if (isFull && files == 0) {
      file.drop();
    }
  }

  /// A file in a pack.
  ///
  /// @param start in the pack, bytes
  /// @param length bytes
  record Packed(FilePack pack, int start, int length) {
    IndexInput open(String name) throws IOException {
      return pack.file.open(name, start, length);
    }

    /// Open inputs stay valid.
    void delete() {
      pack.deleted();
    }
  }
}
