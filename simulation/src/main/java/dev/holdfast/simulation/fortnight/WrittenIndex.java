package dev.holdfast.simulation.fortnight;

/// What is known of an index by who writes to it.
final class WrittenIndex {
  final long createdMillis;
  long lastMillis;
  private double threadMillis;

  WrittenIndex(long createdMillis) {
    this.createdMillis = createdMillis;
    this.lastMillis = createdMillis;
  }

  /// Documents were acknowledged since the last time, which kept so many threads busy.
  void written(double threads, long nowMillis) {
    threadMillis += threads * (nowMillis - lastMillis);
    lastMillis = nowMillis;
  }

  /// Threads that writes kept busy, over all of its time.
  double load(long nowMillis) {
    return nowMillis == createdMillis ? 0 : threadMillis / (nowMillis - createdMillis);
  }
}
