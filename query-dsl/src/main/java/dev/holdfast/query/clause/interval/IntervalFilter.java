package dev.holdfast.query.clause.interval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Objects;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.jspecify.annotations.Nullable;

/// Narrows what a rule finds by how it lies to what another rule finds.
///
/// @param rule null when a script decides
record IntervalFilter(String relation, @Nullable IntervalRule rule, @Nullable ScriptSource script) {
  /// Reads `filter`; null when absent.
  static @Nullable IntervalFilter parse(JsonObject json) {
    JsonNode given = json.take("filter");
    if (given == null || given.isNull()) {
      return null;
    }
    if (!given.isObject() || given.size() != 1) {
      throw QueryReader.parsing("[filter] of an interval rule must hold one relation");
    }
    String relation = given.fieldNames().next();
    return relation.equals("script")
        ? new IntervalFilter(relation, null, ScriptSource.parse(given.get(relation)))
        : new IntervalFilter(relation, IntervalRule.parseWrapped(given.get(relation)), null);
  }

  static IntervalsSource apply(
      @Nullable IntervalFilter filter, IntervalsSource source, QueryContext context, String field) {
    return filter == null ? source : filter.apply(source, context, field);
  }

  private IntervalsSource apply(IntervalsSource source, QueryContext context, String field) {
    if (script != null) {
      return new ScriptedIntervals(source, script);
    }
    IntervalsSource other = Objects.requireNonNull(rule).source(context, field);
    return switch (relation) {
      case "containing" -> Intervals.containing(source, other);
      case "contained_by" -> Intervals.containedBy(source, other);
      case "not_containing" -> Intervals.notContaining(source, other);
      case "not_contained_by" -> Intervals.notContainedBy(source, other);
      case "overlapping" -> Intervals.overlapping(source, other);
      case "not_overlapping" -> Intervals.nonOverlapping(source, other);
      case "before" -> Intervals.before(source, other);
      case "after" -> Intervals.after(source, other);
      default -> throw Refusal.badArgument("Unknown filter type [" + relation + "]");
    };
  }
}
