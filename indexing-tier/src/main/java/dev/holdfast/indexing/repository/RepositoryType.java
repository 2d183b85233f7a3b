package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.repository.Repository;
import java.util.Map;
import java.util.Set;

/// A kind of repository.
interface RepositoryType {
  /// What `type` says.
  String name();

  /// The settings that it reads, besides those of all kinds.
  Set<String> settings();

  /// The settings that it takes and does not need, each with the reason why.
  Map<String, String> idle();

  /// Where a repository lies.
  ///
  /// @throws dev.holdfast.world.Refusal `repository_exception` when its settings name no place
  RepositoryPlace place(Repository repository, RepositoryConfig config);
}
