package dev.holdfast.api.indices.settings;

import dev.holdfast.http.Answer;
import dev.holdfast.identity.Version;
import java.util.Collection;
import java.util.List;

/// Index settings that mean something only where shards lie on disks of nodes: taken and kept, with
/// a warning that they do nothing here.
public final class DisklessSettings {
  private static final List<String> PREFIXES =
      List.of(
          "index.store.",
          "index.routing.allocation.",
          "index.routing.rebalance.",
          "index.recovery.",
          "index.allocation.",
          "index.translog.sync_interval",
          "index.translog.flush_threshold_size",
          "index.translog.retention.",
          "index.shard.check_on_startup",
          "index.compound_format",
          "index.soft_deletes.",
          "index.unassigned.");

  private DisklessSettings() {}

  /// The answer, with a warning when some of the settings do nothing.
  public static Answer warn(Answer answer, Collection<String> settings) {
    List<String> idle =
        settings.stream()
            .filter(name -> PREFIXES.stream().anyMatch(name::startsWith))
            .sorted()
            .toList();
    if (idle.isEmpty()) {
      return answer;
    }
    String text =
        "settings "
            + idle
            + " have no effect here: shards lie in the object store, not on disks of nodes";
    return answer.with("Warning", "299 Elasticsearch-" + Version.API + " \"" + text + "\"");
  }
}
