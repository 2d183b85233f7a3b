package dev.holdfast.api.indices.resolve;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;

/// Which settings an index had when another began to be made of it: metadata of the other from its
/// first moment. Once the block for writes was lifted, the other may lack what was written
/// meanwhile: it can't take the place of its source any more, even if that is blocked again.
public final class CopiedSource {
  private static final String CUSTOM = "copied_source";
  private static final String SETTINGS_VERSION = "settings_version";
  private static final String WRITE_BLOCK = "index.blocks.write";

  private CopiedSource() {}

  /// The index with a note of its source.
  ///
  /// @param source as it was before anything of it was read
  public static IndexMetadata noted(IndexMetadata made, IndexMetadata source) {
    return made.withCustom(CUSTOM, Json.object().put(SETTINGS_VERSION, source.settingsVersion()));
  }

  /// Whether nobody can have written to the source since the copy began. An index of an earlier
  /// build has no note, and is not trusted. A closed index is not blocked by that alone: it may
  /// have been open meanwhile, which is no change of its settings.
  ///
  /// @param source as it is now
  public static boolean isUnchanged(IndexMetadata made, IndexMetadata source) {
    return source.setting(WRITE_BLOCK, "false").equals("true")
        && made.customs().path(CUSTOM).path(SETTINGS_VERSION).asLong(-1)
            == source.settingsVersion();
  }
}
