package dev.holdfast.query.aggregation.metric;

/// Which [Moments] a metric follows from, beside how many values there are; the others are not
/// computed.
public record MomentNeeds(boolean sum, boolean extremes, boolean squares) {
  static final MomentNeeds SUM = new MomentNeeds(true, false, false);
  static final MomentNeeds EXTREMES = new MomentNeeds(false, true, false);
  public static final MomentNeeds SUM_AND_EXTREMES = new MomentNeeds(true, true, false);
  public static final MomentNeeds ALL = new MomentNeeds(true, true, true);
}
