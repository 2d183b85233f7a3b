package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.Keys;
import dev.holdfast.objectstore.ObjectStore.Listed;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A list of the objects below a root, in byte order of their keys. Reads only the folders that can
/// hold keys asked for, and asks for the attributes of only those files that it returns.
final class FileListing {
  private final Path root;
  private final String prefix;
  private final String after;
  private final int max;
  private final List<Listed> listed = new ArrayList<>();

  FileListing(Path root, String prefix, String after, int max) {
    this.root = root;
    this.prefix = prefix;
    this.after = after;
    this.max = max;
  }

  List<Listed> read() throws IOException {
    int slash = prefix.lastIndexOf('/');
    list(prefix.substring(0, slash + 1));
    return listed;
  }

  /// @param folder empty, or a path that ends with a slash
  private void list(String folder) throws IOException {
    List<Entry> entries;
    try {
      entries = entries(folder);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return; // removed meanwhile, or never there
    }
    for (Entry entry : entries) {
      if (listed.size() >= max) {
        return;
      }
      add(folder + entry.name(), entry.isRegister());
    }
  }

  private void add(String key, boolean isRegister) throws IOException {
    String below = key + "/";
    if (key.compareTo(after) <= 0 && below.compareTo(after) < 0 && !after.startsWith(below)) {
      return;
    }
    BasicFileAttributes attributes;
    try {
      String file = isRegister ? key + FileStore.REGISTER : key;
      attributes = Files.readAttributes(root.resolve(file), BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return;
    }
    if (attributes.isDirectory()) {
      list(below);
    } else if (key.compareTo(after) > 0) {
      long length = attributes.size() - (isRegister ? FileRegister.HEADER_LENGTH : 0);
      listed.add(new Listed(key, length, attributes.lastModifiedTime().toMillis()));
    }
  }

  private List<Entry> entries(String folder) throws IOException {
    String namePrefix = prefix.length() > folder.length() ? prefix.substring(folder.length()) : "";
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(root.resolve(folder))) {
      for (Path path : FileFailures.all(paths)) {
        String file = String.valueOf(path.getFileName());
        boolean isRegister = file.endsWith(FileStore.REGISTER);
        String name =
            isRegister ? file.substring(0, file.length() - FileStore.REGISTER.length()) : file;
        // Names that no key has are not ours: locks, temporary files, `lost+found`.
        if (name.startsWith(namePrefix) && Keys.isName(name)) {
          entries.add(new Entry(name, isRegister));
        }
      }
    }
    return sorted(folder, entries);
  }

  /// By the bytes of the keys below: a folder counts with its slash, which `-` and `.` precede.
  /// That matters only beside a name that goes on where another ends, so only then it is asked
  /// which of them is a folder.
  private List<Entry> sorted(String folder, List<Entry> entries) {
    entries.sort(Comparator.comparing(Entry::name).thenComparing(Entry::isRegister));
    List<Entry> kept = new ArrayList<>(entries.size());
    boolean isOrdered = true;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (i > 0 && entries.get(i - 1).name().equals(entry.name())) {
        continue; // a plain object hides the register it replaced
      }
      kept.add(entry);
      isOrdered &= i + 1 == entries.size() || !entries.get(i + 1).name().startsWith(entry.name());
    }
    if (isOrdered) {
      return kept;
    }
    record Sorted(String order, Entry entry) {}
    return kept.stream()
        .map(entry ->
            new Sorted(
                Files.isDirectory(root.resolve(folder + entry.name()))
                    ? entry.name() + "/"
                    : entry.name(),
                entry))
        .sorted(Comparator.comparing(Sorted::order))
        .map(Sorted::entry)
        .toList();
  }

  private record Entry(String name, boolean isRegister) {}
}
