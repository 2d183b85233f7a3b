package dev.holdfast.query.clause.interval;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.text.IntervalScript;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import org.apache.lucene.queries.intervals.FilteredIntervalsSource;
import org.apache.lucene.queries.intervals.IntervalIterator;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.jspecify.annotations.Nullable;

/// The intervals that a script says yes to.
final class ScriptedIntervals extends FilteredIntervalsSource {
  private final ScriptSource script;
  private final IntervalsSource from;

  ScriptedIntervals(IntervalsSource from, ScriptSource script) {
    super("FILTER(" + script.text() + ")", from);
    this.script = script;
    this.from = from;
    var _ = Scripts.compiled(script, IntervalScript.SHAPE);
  }

  /// An interval as it is when the script is asked.
  private record Found(int start, int end, int gaps) implements IntervalScript.Interval {
    @Override
    public int getStart() {
      return start;
    }

    @Override
    public int getEnd() {
      return end;
    }

    @Override
    public int getGaps() {
      return gaps;
    }
  }

  @Override
  protected boolean accept(IntervalIterator at) {
    return Scripts.instance(
            IntervalScript.class,
            Scripts.compiled(script, IntervalScript.SHAPE),
            script.ownParams())
        .execute(new Found(at.start(), at.end(), at.gaps()));
  }

  @Override
  public Collection<IntervalsSource> pullUpDisjunctions() {
    return Collections.singletonList(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScriptedIntervals scripted
        && scripted.script.equals(script)
        && scripted.from.equals(from);
  }

  @Override
  public int hashCode() {
    return Objects.hash(script, from);
  }
}
