package dev.holdfast.clusterstate.local;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of this machine that a node calls its own: locked while the process lives, and
/// remembering the ephemeral id of the process that used it last. That memory is a guess that saves
/// time after a crash, never a truth: losing it costs a wait.
public final class DataFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
  private static final String LOCK = "node.lock";
  private static final String NODE = "node.id";

  private final Path folder;
  private final FileChannel channel;
  private final FileLock lock;
  private final MachineId machine;
  private final String previousNode;

  private DataFolder(
      Path folder, FileChannel channel, FileLock lock, MachineId machine, String previousNode) {
    this.folder = folder;
    this.channel = channel;
    this.lock = lock;
    this.machine = machine;
    this.previousNode = previousNode;
  }

  /// Creates the folder if need be and locks it.
  ///
  /// @throws IOException in one clear sentence: not writable, or in use by another process
  public static DataFolder lock(Path folder) throws IOException {
    return lock(folder, MachineId.current());
  }

  /// @param machine that this process runs on
  @FromTheWorld
  static DataFolder lock(Path folder, MachineId machine) throws IOException {
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
      return new DataFolder(folder, channel, lock, machine, previous(folder, machine));
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(
          "the data folder is not writable [folder=" + folder + ", reason=" + e.getMessage() + "]",
          e);
    }
  }

  private static String previous(Path folder, MachineId machine) throws IOException {
    Path node = folder.resolve(NODE);
    if (!Files.exists(node)) {
      return "";
    }
    List<String> lines = Files.readAllLines(node);
    String id = lines.isEmpty() ? "" : lines.getFirst().trim();
    if (id.isEmpty() || machine.wasHere(MachineId.read(lines.subList(1, lines.size())))) {
      return id;
    }
    LOG.info(
        "the process that used this data folder before ran on another machine, or before this one"
            + " was started: it is not taken for dead [node={}]",
        id);
    return "";
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /// The ephemeral id of the process that used this folder before; empty for none. That process is
  /// dead: its lock is ours, and it was a lock of this machine's. Of a folder that was copied
  /// nothing is known: the process may live where it was copied from.
  public String previousNode() {
    return previousNode;
  }

  /// Remembers this process.
  public void remember(String nodeEphemeralId) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(nodeEphemeralId);
    lines.addAll(machine.lines());
    Files.write(folder.resolve(NODE), lines);
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
