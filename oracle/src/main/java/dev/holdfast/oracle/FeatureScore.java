package dev.holdfast.oracle;

/// How one feature fared.
final class FeatureScore {
  int requests;
  int same;
  int different;
  int accepted;
  int refused;
  int skipped;

  void add(FeatureScore other) {
    requests += other.requests;
    same += other.same;
    different += other.different;
    accepted += other.accepted;
    refused += other.refused;
    skipped += other.skipped;
  }
}
