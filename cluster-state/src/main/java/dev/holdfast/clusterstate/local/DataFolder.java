package dev.holdfast.clusterstate.local;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of this machine that a node calls its own: locked while the process lives, and
/// remembering the ephemeral id of the process that used it last. That memory is a guess that saves
/// time after a crash, never a truth: losing it costs a wait. It also remembers which cluster it
/// found in which store: a folder that may be unmounted, and a name that is mistyped, look like a
/// store that is new.
public final class DataFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
  private static final String LOCK = "node.lock";
  private static final String NODE = "node.id";
  private static final String CLUSTER = "node.cluster";

  /// What the names of stores begin with that somebody may unmount.
  private static final String MOUNTABLE = "file:";

  /// What the names of stores begin with that end with their process.
  private static final String PASSING = "memory:";

  private final Path folder;
  private final FileChannel channel;
  private final FileLock lock;
  private final MachineId machine;
  private final String previousNode;
  private volatile boolean isAhead;

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
    } catch (FileSystemException e) {
      throw new IOException(
          "the data folder is not writable [folder=" + folder + ", reason=" + reason(e) + "]", e);
    }
  }

  /// The message of many of these is only the name of the file.
  private static String reason(FileSystemException e) {
    String file = String.valueOf(e.getFile());
    return switch (e) {
      case FileAlreadyExistsException _ -> file + " is no folder";
      case AccessDeniedException _ -> "this user may not write to " + file;
      case NoSuchFileException _ -> file + " does not exist and cannot be made";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static String previous(Path folder, MachineId machine) {
    List<String> lines = lines(folder.resolve(NODE));
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

  /// Empty for a file that does not exist or cannot be read: what it says saves time, no more.
  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      LOG.warn(
          "a file of the data folder cannot be read and is passed over [file={}, why={}]",
          file,
          e.toString());
      return List.of();
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
    write(NODE, lines);
  }

  /// Remembers the cluster that this process is a member of. That it is another one than before is
  /// told: nobody sees by the answers of a node that somebody has mistyped the name of its store.
  ///
  /// @param store its name
  /// @param uuid of the cluster
  /// @param version of the newest state that this process knows
  public void rememberCluster(String store, String uuid, long version) throws IOException {
    if (store.startsWith(PASSING)) {
      return;
    }
    List<String> known = lines(folder.resolve(CLUSTER));
    if (known.size() > 1 && !known.get(1).equals(uuid)) {
      LOG.warn(
          "this node was of another cluster before: is its store the one that is meant?"
              + " [store_before={}, cluster_before={}, store={}, cluster={}]",
          known.getFirst(),
          known.get(1),
          store,
          uuid);
    }
    long before = version(known);
    if (known.size() > 1 && known.get(1).equals(uuid) && version < before) {
      isAhead = true;
      LOG.warn(
          "the store [{}] holds an older state of the cluster than this node has known: it was set"
              + " back, or is a copy of another. What was acknowledged since is not in it"
              + " [version={}, version_before={}, store_before={}]",
          store,
          version,
          before,
          known.getFirst());
    }
    write(CLUSTER, List.of(store, uuid, Long.toString(version)));
  }

  /// Of builds that wrote none, and of what is no number, nothing is known.
  private static long version(List<String> known) {
    try {
      return known.size() > 2 ? Long.parseLong(known.get(2).trim()) : -1;
    } catch (NumberFormatException e) {
      LOG.warn("the version of the cluster's state is not known any more [file={}]", CLUSTER, e);
      return -1;
    }
  }

  /// Whether this folder has known a newer state of the cluster than its store held when this
  /// process joined: objects may have the names of others that it has seen.
  public boolean isAhead() {
    return isAhead;
  }

  /// Refuses a store without a cluster where a process with this data folder was member of one.
  ///
  /// @param store its name
  /// @throws IOException in one clear sentence
  public void requireNoCluster(String store) throws IOException {
    List<String> known = lines(folder.resolve(CLUSTER));
    if (store.startsWith(MOUNTABLE) && known.size() > 1 && known.getFirst().equals(store)) {
      throw new IOException(
          "there is nothing in the store ["
              + store
              + "], but this data folder knows a cluster there [uuid="
              + known.get(1)
              + "]: is it mounted? No cluster was begun. If all of that cluster was meant to go,"
              + " remove ["
              + folder.resolve(CLUSTER)
              + "] and start again");
    }
  }

  private void write(String name, List<String> lines) throws IOException {
    Path file = folder.resolve(name);
    if (Files.isDirectory(file)) {
      throw new IOException(
          "a folder lies where the data folder has a file: remove it [folder=" + file + "]");
    }
    if (lines(file).equals(lines)) {
      return;
    }
    // On a full disk what was known stays.
    Path next = folder.resolve(name + ".next");
    Files.write(next, lines);
    var _ =
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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
