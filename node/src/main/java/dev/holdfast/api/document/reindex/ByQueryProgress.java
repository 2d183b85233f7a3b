package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;

/// How far one slice of a reindex has come, and what failed. Guards itself.
final class ByQueryProgress {
  /// Failures that are listed; a slice stops at the first batch that has any.
  private static final int FAILURES_MAX = 10_000;

  private long total;
  private long updated;
  private long created;
  private long deleted;
  private long batches;
  private long conflicts;
  private long noops;
  private long throttledNanos;
  private final List<ObjectNode> failures = new ArrayList<>();

  /// What a write came to.
  enum Effect {
    UPDATED,
    CREATED,
    DELETED,
    NOOP,
    CONFLICT
  }

  synchronized void found(long documents) {
    total = documents;
  }

  synchronized void batch() {
    batches++;
  }

  synchronized void add(Effect effect) {
    switch (effect) {
      case UPDATED -> updated++;
      case CREATED -> created++;
      case DELETED -> deleted++;
      case NOOP -> noops++;
      case CONFLICT -> conflicts++;
    }
  }

  synchronized void failed(ObjectNode failure) {
    if (failures.size() < FAILURES_MAX) {
      failures.add(failure);
    }
  }

  synchronized boolean hasFailed() {
    return !failures.isEmpty();
  }

  synchronized List<ObjectNode> failures() {
    return List.copyOf(failures);
  }

  synchronized void waited(long nanos) {
    throttledNanos += nanos;
  }

  synchronized long done() {
    return updated + created + deleted + noops + conflicts;
  }

  /// Adds what another slice did.
  synchronized void add(ByQueryProgress other) {
    synchronized (other) {
      total += other.total;
      updated += other.updated;
      created += other.created;
      deleted += other.deleted;
      batches += other.batches;
      conflicts += other.conflicts;
      noops += other.noops;
      throttledNanos += other.throttledNanos;
      failures.addAll(other.failures);
    }
  }

  /// Writes the members that status and answer share.
  synchronized void write(ObjectNode to, ByQuery.Kind kind, float requestsPerSecond) {
    to.put("total", total);
    if (kind != ByQuery.Kind.DELETE) {
      to.put("updated", updated);
    }
    if (kind == ByQuery.Kind.REINDEX) {
      to.put("created", created);
    }
    to.put("deleted", deleted)
        .put("batches", batches)
        .put("version_conflicts", conflicts)
        .put("noops", noops);
    to.putObject("retries").put("bulk", 0).put("search", 0);
    to.put("throttled_millis", throttledNanos / 1_000_000)
        .put("requests_per_second", Float.isInfinite(requestsPerSecond) ? -1f : requestsPerSecond)
        .put("throttled_until_millis", 0);
  }

  synchronized ArrayNode failuresJson() {
    ArrayNode all = Json.MAPPER.createArrayNode();
    failures.forEach(all::add);
    return all;
  }
}
