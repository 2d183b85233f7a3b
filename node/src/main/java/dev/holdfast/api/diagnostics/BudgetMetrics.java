package dev.holdfast.api.diagnostics;

import dev.holdfast.objectstore.budget.Deferrable;
import dev.holdfast.objectstore.budget.SpendingPace;
import dev.holdfast.objectstore.count.StorePrices;

/// Metrics of `store.budget`: what this node may spend, what it spends, and what waiting for money
/// costs in time.
final class BudgetMetrics {
  private BudgetMetrics() {}

  static void add(PrometheusExposition lines, SpendingPace pace) {
    if (pace.isLimited()) {
      lines.gauge(
          "holdfast_budget_share_dollars_per_month",
          "This node's share of store.budget; there is none without a budget.",
          pace.limit() * StorePrices.MONTH_SECONDS);
    }
    String spent = "What requests to the store cost, by whether they can wait for money.";
    lines.counter(
        "holdfast_budget_spent_dollars_total", spent, pace.deferredDollars(), "waits", "can");
    lines.counter(
        "holdfast_budget_spent_dollars_total", spent, pace.promptDollars(), "waits", "never");
    for (Deferrable kind : Deferrable.values()) {
      SpendingPace.Waits waits = pace.waits(kind);
      lines.histogram(
          "holdfast_budget_wait_seconds",
          "How long requests waited for money, while there was a budget.",
          waits.seconds(),
          "request",
          kind.label());
      lines.counter(
          "holdfast_budget_held_total",
          "Requests that waited for money.",
          waits.held(),
          "request",
          kind.label());
      lines.counter(
          "holdfast_budget_overdue_total",
          "Requests that went without money, having waited as long as they may.",
          waits.overdue(),
          "request",
          kind.label());
    }
  }
}
