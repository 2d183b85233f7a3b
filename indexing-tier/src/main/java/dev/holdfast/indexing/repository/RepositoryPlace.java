package dev.holdfast.indexing.repository;

/// Where a repository lies.
///
/// @param url of its store; empty for the cluster's own
/// @param folder in the cluster's own store: what its snapshots are kept under; empty elsewhere
public record RepositoryPlace(String url, String folder) {
  /// Whether it is the cluster's own store: then a snapshot copies nothing.
  public boolean isOwn() {
    return url.isEmpty();
  }

  static RepositoryPlace own(String folder) {
    return new RepositoryPlace("", folder);
  }

  static RepositoryPlace at(String url) {
    return new RepositoryPlace(url, "");
  }
}
