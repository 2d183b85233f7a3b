package dev.holdfast.oracle;

/// How one feature fared.
final class Score {
  int requests;
  int same;
  int different;
  int accepted;
  int refused;
  int skipped;

  void add(Score other) {
    requests += other.requests;
    same += other.same;
    different += other.different;
    accepted += other.accepted;
    refused += other.refused;
    skipped += other.skipped;
  }
}
