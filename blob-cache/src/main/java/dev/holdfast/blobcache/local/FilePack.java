package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/// Small files in one file of the disk, one after the other, that is mapped once. It goes when no
/// more fits into it and all of them are deleted and closed.
final class FilePack {
  /// Files begin at multiples of this, as they do in Lucene's compound files.
  private static final int ALIGNMENT = 64;

  /// Of the file: what is not written yet takes no room on the disk.
  static final int BYTES = 1 << 20;

  private final Path path;
  private final IndexInput mapped;

  // Guarded by this.
  private int end;
  private int files;
  private int inputs;
  private boolean isFull;
  private boolean isGone;

  private FilePack(Path path, IndexInput mapped) {
    this.path = path;
    this.mapped = mapped;
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
      FilePack pack = new FilePack(path, files.openInput(name, IOContext.DEFAULT));
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
  void end() {
    synchronized (this) {
      isFull = true;
    }
    mayGo();
  }

  private IndexInput open(String name, int start, int length) throws IOException {
    synchronized (this) {
      inputs++;
    }
    boolean isOpen = false;
    try {
      IndexInput input = new TrackedInput(name, mapped.slice(name, start, length), this::closed);
      isOpen = true;
      return input;
    } finally {
      if (!isOpen) {
        closed();
      }
    }
  }

  private void closed() {
    synchronized (this) {
      inputs--;
    }
    mayGo();
  }

  private void deleted() {
    synchronized (this) {
      files--;
    }
    mayGo();
  }

  private void mayGo() {
    synchronized (this) {
      if (isGone || !isFull || files > 0 || inputs > 0) {
        return;
      }
      isGone = true;
    }
    IOUtils.closeWhileHandlingException(mapped);
    IOUtils.deleteFilesIgnoringExceptions(path);
  }

  /// A file in a pack.
  ///
  /// @param start in the pack, bytes
  /// @param length bytes
  record Packed(FilePack pack, int start, int length) {
    IndexInput open(String name) throws IOException {
      return pack.open(name, start, length);
    }

    /// Open inputs stay valid.
    void delete() {
      pack.deleted();
    }
  }
}
