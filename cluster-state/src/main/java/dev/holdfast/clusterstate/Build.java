package dev.holdfast.clusterstate;

/// What a member is built from, and which versions of formats it speaks: of what nodes say to each
/// other and of what they store. A cluster has one version that all its members speak
/// ([ClusterState#minimumVersion]).
///
/// @param id of the sources, for people
/// @param oldest version that it still speaks
/// @param newest version that it speaks
public record Build(String id, int oldest, int newest) {
  /// Grows with a format that an older build cannot read, or must not be sent; what is only added
  /// to a record or to the state needs none. See `docs/upgrading.md` for what each brought.
  public static final int NEWEST = 6;

  public static final int OLDEST = 1;

  /// A member that did not say: of a build from before there were versions.
  public static final Build UNKNOWN = new Build("unknown", 0, 0);

  /// This build.
  ///
  /// @param id of its sources
  public static Build here(String id) {
    return new Build(id, OLDEST, NEWEST);
  }

  /// Whether it can be a member of a cluster that speaks that version.
  boolean speaks(int version) {
    return oldest <= version && version <= newest;
  }
}
