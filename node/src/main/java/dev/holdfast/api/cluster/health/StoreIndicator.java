package dev.holdfast.api.cluster.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;
import java.util.TreeMap;

/// `_health_report`'s indicator of that name: whether the object store does what nodes ask of it.
/// Red while it does not; yellow while it fails many requests that it does at their next try, and
/// while its clock is not that of the nodes.
public final class StoreIndicator {
  public static final String NAME = "object_store";

  private static final String IMPACT = "holdfast:health:object_store:impact:";

  private StoreIndicator() {}

  /// Whether there is nothing to tell.
  public static boolean isGreen(NodeTroubles.Troubles found) {
    return found.failing().isEmpty() && found.unsteady().isEmpty() && found.clocks().isEmpty();
  }

  public static void write(ObjectNode indicator, NodeTroubles.Troubles found) {
    if (!found.failing().isEmpty()) {
      failing(indicator, found.failing());
    } else if (isGreen(found)) {
      indicator
          .put("status", "green")
          .put("symptom", "The object store does what all nodes ask of it.")
          .putObject("details")
          .putObject("nodes");
    } else {
      ill(indicator, found.unsteady(), found.clocks());
    }
  }

  private static void failing(ObjectNode indicator, SortedMap<String, String> troubles) {
    indicator
        .put("status", "red")
        .put("symptom", "The object store fails " + troubles.size() + " nodes.");
    nodes(indicator, troubles);
    impact(
        indicator.putArray("impacts"),
        "writes_wait",
        1,
        "Writes through these nodes wait and are then refused; what was acknowledged is"
            + " durable. They go on by themselves once the store does.",
        "ingest");
  }

  private static void ill(
      ObjectNode indicator, SortedMap<String, String> unsteady, SortedMap<String, String> clocks) {
    SortedMap<String, String> both = new TreeMap<>(clocks);
    unsteady.forEach(
        (node, how) -> both.merge(node, how, (first, second) -> second + "; " + first));
    indicator
        .put("status", "yellow")
        .put(
            "symptom",
            unsteady.isEmpty()
                ? "The clocks of " + clocks.size() + " nodes differ from the object store's."
                : "The object store fails many requests of " + unsteady.size() + " nodes.");
    nodes(indicator, both);
    ArrayNode impacts = indicator.putArray("impacts");
    if (!unsteady.isEmpty()) {
      impact(
          impacts,
          "requests_slow",
          2,
          "Requests that the store fails are sent again: writes, gets and searches that need them"
              + " take longer, and fail when it fails the same request again and again.",
          "ingest",
          "search");
    }
    if (!clocks.isEmpty()) {
      impact(
          impacts,
          "retention_waits",
          3,
          "Retention, phases of lifecycle policies that wait for an age, and the emptying of the"
              + " trash wait until the clocks agree.",
          "deployment_management");
    }
  }

  private static void nodes(ObjectNode indicator, SortedMap<String, String> troubles) {
    troubles.forEach(indicator.putObject("details").putObject("nodes")::put);
  }

  private static void impact(
      ArrayNode impacts, String id, int severity, String description, String... areas) {
    ArrayNode ofImpact =
        impacts
            .addObject()
            .put("id", IMPACT + id)
            .put("severity", severity)
            .put("description", description)
            .putArray("impact_areas");
    for (String area : areas) {
      ofImpact.add(area);
    }
  }
}
