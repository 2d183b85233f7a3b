package dev.holdfast.indexing.repository;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a node knows of places for snapshots.
///
/// @param storeUrl where the cluster's own objects lie; empty when nobody says: then everything is
///   there
/// @param options `store.…` settings by their full names, with which other stores are opened too
/// @param isOwnOnly whether they may lie nowhere else: those of a project would reach what is not
///   its own by the node's credentials
public record RepositoryConfig(
    String storeUrl, SortedMap<String, String> options, boolean isOwnOnly) {
  /// The setting, `path.repo` for users: folders that every node sees.
  public static final String SHARED_FOLDERS = "store.shared_folders";

  /// The setting, `repositories.url.allowed_urls` for users.
  public static final String ALLOWED_URLS = "store.allowed_urls";

  /// Of a node that may use other stores, too.
  public RepositoryConfig(String storeUrl, SortedMap<String, String> options) {
    this(storeUrl, options, false);
  }

  /// Of a node that has its own store only.
  public static final RepositoryConfig OWN = new RepositoryConfig("", new TreeMap<>(), false);

  /// Folders that repositories of type `fs` may lie in.
  List<String> sharedFolders() {
    return isOwnOnly ? List.of() : list(SHARED_FOLDERS);
  }

  /// What URLs of read-only repositories may begin with.
  List<String> allowedUrls() {
    return isOwnOnly ? List.of() : list(ALLOWED_URLS);
  }

  private List<String> list(String name) {
    return List.of(options.getOrDefault(name, "").replaceAll("[\\[\\]\"]", "").split(",")).stream()
        .map(String::strip)
        .filter(one -> !one.isEmpty())
        .toList();
  }
}
