package dev.holdfast.api.cluster.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;

/// `_health_report`'s indicator of that name: whether the disks of nodes have room for writes.
public final class DiskIndicator {
  public static final String NAME = "disk";

  private DiskIndicator() {}

  /// @param full by the ephemeral id of the node, how much it lacks
  /// @param nodes of the cluster
  public static void write(ObjectNode indicator, SortedMap<String, String> full, int nodes) {
    indicator.put("status", full.isEmpty() ? "green" : "red");
    indicator.put(
        "symptom",
        full.isEmpty()
            ? "The cluster has enough available disk space."
            : "The disks of " + full.size() + " nodes are full.");
    ObjectNode details = indicator.putObject("details");
    details.put("indices_with_readonly_block", 0);
    details.put("nodes_with_enough_disk_space", nodes - full.size());
    details.put("nodes_with_unknown_disk_status", 0);
    details.put("nodes_over_high_watermark", 0);
    details.put("nodes_over_flood_stage_watermark", full.size());
    if (full.isEmpty()) {
      return;
    }
    indicator
        .putArray("impacts")
        .addObject()
        .put("id", "holdfast:health:disk:impact:ingest_capability_unavailable")
        .put("severity", 1)
        .put(
            "description",
            "Shards of these nodes refuse writes; gets and searches go on. Writes go on by"
                + " themselves once there is room.")
        .putArray("impact_areas")
        .add("ingest");
    ArrayNode diagnosis = indicator.putArray("diagnosis");
    full.forEach((node, how) -> {
      ObjectNode one = diagnosis.addObject();
      one.put("id", "holdfast:health:disk:diagnosis:add_disk_capacity");
      one.put("cause", how);
      one.put("action", "Make room on the disk of the node's data folder.");
      one.put("help_url", "docs/operating.md");
      one.putObject("affected_resources").putArray("nodes").add(node);
    });
  }
}
