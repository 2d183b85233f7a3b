package dev.holdfast.clusterstate;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// The folder of this machine that a node calls its own: locked while the process lives, and
/// remembering the ephemeral id of the process that used it last. That memory is a guess that saves
/// time after a crash, never a truth: losing it costs a wait.
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "node.lock";
  private static final String NODE = "node.id";

  private final Path folder;
  private final FileChannel channel;
  private final FileLock lock;
  private final String previousNode;

  private DataFolder(Path folder, FileChannel channel, FileLock lock, String previousNode) {
    this.folder = folder;
    this.channel = channel;
    this.lock = lock;
    this.previousNode = previousNode;
  }

  /// Creates the folder if need be and locks it.
  ///
  /// @throws IOException in one clear sentence: not writable, or in use by another process
  @FromTheWorld
  public static DataFolder lock(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new IOException(
            "the data folder is in use by another holdfast process [folder=" + folder + "]");
      }
      Path node = folder.resolve(NODE);
      String previous = Files.exists(node) ? Files.readString(node).trim() : "";
      return new DataFolder(folder, channel, lock, previous);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(
          "the data folder is not writable [folder=" + folder + ", reason=" + e.getMessage() + "]",
          e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /// The ephemeral id of the process that used this folder before; empty for none. That process is
  /// dead: its lock is ours.
  String previousNode() {
    return previousNode;
  }

  /// Remembers this process.
  void remember(String nodeEphemeralId) throws IOException {
    Files.writeString(folder.resolve(NODE), nodeEphemeralId);
  }

  public Path path() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      lock.release();
      channel.close();
    }
  }
}
