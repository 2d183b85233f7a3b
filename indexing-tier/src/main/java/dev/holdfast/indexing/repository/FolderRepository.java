package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.repository.Repository;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `fs`: a folder that every node sees, under one of `path.repo`. Without any of those a relative
/// `location` is a name within the cluster's own store.
record FolderRepository() implements RepositoryType {
  static final String LOCATION = "location";

  @Override
  public String name() {
    return "fs";
  }

  /// Characters of a folder's name that every store takes.
  private static final int FOLDER_MAX = 230;

  @Override
  public Set<String> settings() {
    return Set.of(LOCATION);
  }

  @Override
  public Map<String, String> idle() {
    return Map.of();
  }

  @Override
  public RepositoryPlace place(Repository repository, RepositoryConfig config) {
    String location = repository.setting(LOCATION, "");
    if (location.isEmpty()) {
      throw RepositoryTypes.refused(repository.name(), "missing location", null);
    }
    List<String> folders = config.sharedFolders();
    Path path = path(repository, location);
    if (folders.isEmpty() && !path.isAbsolute() && !path.normalize().startsWith("..")) {
      String name = path.normalize().toString();
      String folder = ObjectName.of(name.isEmpty() ? "~" : name);
      if (folder.length() > FOLDER_MAX) {
        throw RepositoryTypes.refused(
            repository.name(), "location is too long: [" + location + "]", null);
      }
      return RepositoryPlace.own(folder);
    }
    Path resolved = within(path, folders);
    if (resolved == null) {
      throw RepositoryTypes.refused(
          repository.name(),
          "location ["
              + location
              + "] doesn't match any of the locations specified by path.repo"
              + (folders.isEmpty() ? " because this setting is empty" : ""),
          null);
    }
    return RepositoryPlace.at("file:" + resolved);
  }

  /// The path, if it lies in one of the folders; a relative one in the first. Null when it does
  /// not.
  static @org.jspecify.annotations.Nullable Path within(Path path, List<String> folders) {
    for (String folder : folders) {
      Path root = Path.of(folder).toAbsolutePath().normalize();
      Path resolved = root.resolve(path).normalize();
      if (resolved.startsWith(root)) {
        return resolved;
      }
    }
    return null;
  }

  private static Path path(Repository repository, String location) {
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw RepositoryTypes.refused(repository.name(), "location [" + location + "] is no path", e);
    }
  }
}
