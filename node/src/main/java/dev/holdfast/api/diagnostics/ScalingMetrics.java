package dev.holdfast.api.diagnostics;

import dev.holdfast.api.scaling.AutoscalingApi;

/// Metrics by which tiers become larger and smaller.
final class ScalingMetrics {
  private ScalingMetrics() {}

  static void add(PrometheusExposition lines, AutoscalingApi scaling) {
    scaling
        .load()
        .forEach((tier, load) ->
            lines.gauge(
                "holdfast_tier_load_threads",
                "Threads that the work of a tier keeps busy here, above what there are when too"
                    + " much waits.",
                load,
                "tier",
                tier.label()));
    scaling
        .wanted()
        .forEach((tier, nodes) ->
            lines.gauge(
                "holdfast_tier_wanted_nodes",
                "How many nodes a tier should have, on the leader.",
                nodes,
                "tier",
                tier.label()));
    lines.gauge(
        "holdfast_provisioner_failing",
        "1 on a leader that could not have nodes started or stopped.",
        scaling.isProvisionerFailing() ? 1 : 0,
        "provisioner",
        scaling.provisioner());
  }
}
