package dev.holdfast.api.cluster.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.repository.Repositories;
import java.util.SortedMap;

/// `_health_report`'s indicator of that name: whether what snapshots and points in time hold can be
/// read. What a pin that is damaged may hold is kept, so the store grows.
public final class RepositoryIntegrity {
  public static final String NAME = "repository_integrity";

  private RepositoryIntegrity() {}

  /// @param damaged pins, and how, by key
  public static void write(
      ObjectNode indicator, ClusterState state, SortedMap<String, String> damaged) {
    int repositories = Repositories.all(state).size();
    indicator.put("status", damaged.isEmpty() ? "green" : "yellow");
    indicator.put(
        "symptom",
        !damaged.isEmpty()
            ? "Snapshots or points in time cannot be read: " + damaged.size() + "."
            : repositories == 0
                ? "There are no snapshot repositories."
                : "No snapshot was found damaged.");
    ObjectNode details = indicator.putObject("details").put("total_repositories", repositories);
    if (damaged.isEmpty()) {
      return;
    }
    ObjectNode objects = details.putObject("damaged_objects");
    damaged.forEach(objects::put);
    indicator
        .putArray("impacts")
        .addObject()
        .put("id", "holdfast:health:repository_integrity:impact:blobs_are_kept")
        .put("severity", 2)
        .put(
            "description",
            "Nobody knows what they hold: no blob is deleted of an index that is older than one of"
                + " them, and these snapshots cannot be restored.")
        .putArray("impact_areas")
        .add("backup");
    ArrayNode diagnosis = indicator.putArray("diagnosis");
    damaged.forEach((key, how) -> {
      ObjectNode one = diagnosis.addObject();
      one.put("id", "holdfast:health:repository_integrity:diagnosis:damaged_object");
      one.put("cause", how);
      one.put(
          "action",
          "Put the object back as it was, from a version that the store keeps. Or give the snapshot"
              + " up: DELETE /_snapshot/{repository}/{snapshot}.");
      one.put("help_url", "docs/operating.md");
      one.putObject("affected_resources").putArray("objects").add(key);
    });
  }
}
