package dev.holdfast.query.clause.interval;

import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import java.util.List;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.jspecify.annotations.Nullable;

/// Rules made of rules.
final class IntervalGroups {
  private IntervalGroups() {}

  /// Sources that must all be found, in order or not, with at most so many words between them.
  static IntervalsSource combined(List<IntervalsSource> sources, boolean isOrdered, int gapsMax) {
    if (sources.size() == 1) {
      return sources.getFirst();
    }
    IntervalsSource[] all = sources.toArray(IntervalsSource[]::new);
    if (gapsMax == 0 && isOrdered) {
      return Intervals.phrase(all);
    }
    IntervalsSource together = isOrdered ? Intervals.ordered(all) : Intervals.unordered(all);
    return gapsMax < 0 ? together : Intervals.maxgaps(gapsMax, together);
  }

  private static List<IntervalsSource> sources(
      List<IntervalRule> rules, QueryContext context, String field) {
    return rules.stream().map(rule -> rule.source(context, field)).toList();
  }

  /// All of some rules.
  ///
  /// @param gapsMax words between them; -1 for any number
  record AllOf(
      List<IntervalRule> rules, boolean isOrdered, int gapsMax, @Nullable IntervalFilter filter)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new AllOf(
          IntervalRule.parseAll(json.required("intervals")),
          json.bool("ordered", "ordered".equals(json.string("mode"))),
          json.integer("max_gaps", -1),
          IntervalFilter.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      IntervalsSource all = combined(sources(rules, context, field), isOrdered, gapsMax);
      return IntervalFilter.apply(filter, all, context, field);
    }
  }

  /// Any of some rules.
  record AnyOf(List<IntervalRule> rules, @Nullable IntervalFilter filter) implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new AnyOf(
          IntervalRule.parseAll(json.required("intervals")), IntervalFilter.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      IntervalsSource any = Intervals.or(sources(rules, context, field));
      return IntervalFilter.apply(filter, any, context, field);
    }
  }
}
