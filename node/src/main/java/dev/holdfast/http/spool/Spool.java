package dev.holdfast.http.spool;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/// The folder for large requests, and what of its disk they may take.
public final class Spool {
  /// Requests larger than this many parts of what all bodies may take in memory go to files, so
  /// that some of them fit beside each other.
  private static final int MEMORY_SHARE = 16;

  private static final long MEMORY_BYTES_MIN = 1 << 20;
  private static final long MEMORY_BYTES_MAX = 16 << 20;

  /// Of the disk this much stays free for the shards, or a [#FLOOR_SHARE]th if that is less.
  private static final long FLOOR_BYTES_MAX = 512L << 20;

  private static final long FLOOR_SHARE = 10;

  private final Path folder;
  private final long memoryBytes;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong names = new AtomicLong();

  /// @param folder is made when it is needed
  /// @param memoryBytes how much of a request is held in memory at most
  /// @param bytesMax how much all files may hold
  public Spool(Path folder, long memoryBytes, long bytesMax) {
    this.folder = folder;
    this.memoryBytes = memoryBytes;
    this.bytesMax = bytesMax;
  }

  /// @param inFlightMax what bodies may take of the heap
  public static Spool of(Path folder, long inFlightMax, long bytesMax) {
    long share = inFlightMax / MEMORY_SHARE;
    return new Spool(folder, Math.clamp(share, MEMORY_BYTES_MIN, MEMORY_BYTES_MAX), bytesMax);
  }

  /// What of a request is in memory at most; a longer one goes to a file.
  public long memoryBytes() {
    return memoryBytes;
  }

  /// Bytes in files now.
  public long bytes() {
    return bytes.get();
  }

  /// Makes the files of one request.
  public RequestFiles begin() {
    return new RequestFiles(this);
  }

  FileChannel create() throws IOException {
    Files.createDirectories(folder);
    return FileChannel.open(
        folder.resolve(Long.toString(names.incrementAndGet())),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  /// @param isRefused whether what is too much is refused
  /// @throws Refusal 429 when that is too much for the bound or for the disk; nothing is taken then
  void take(long more, boolean isRefused) throws IOException {
    long now = bytes.addAndGet(more);
    if (!isRefused) {
      return;
    }
    if (now > bytesMax) {
      bytes.addAndGet(-more);
      throw full("requests that are in files may take [" + bytesMax + "] bytes");
    }
    FileStore disk = Files.getFileStore(folder);
    long floor = Math.min(FLOOR_BYTES_MAX, disk.getTotalSpace() / FLOOR_SHARE);
    long usable = disk.getUsableSpace();
    if (usable - more < floor) {
      bytes.addAndGet(-more);
      throw full("the disk of the data folder has [" + usable + "] bytes free");
    }
  }

  void give(long less) {
    long now = bytes.addAndGet(-less);
    Promise.keep(now >= 0, "bytes of files are given back once", "bytes", now);
  }

  static Refusal full(String why) {
    return new Refusal(
        ErrorType.REJECTED_EXECUTION,
        "rejected execution: no room for a request as large as this: " + why);
  }
}
