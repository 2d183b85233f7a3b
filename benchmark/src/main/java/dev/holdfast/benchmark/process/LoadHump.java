package dev.holdfast.benchmark.process;

/// How many clients there are in each second of a load that rises and falls once: one at first, a
/// hump over half of the time, one again.
record LoadHump(int clientsMax, int seconds) {
  private static final double RISE = 0.1;
  private static final double FALLEN = 0.6;

  int clients(int second) {
    double at = (second / (double) seconds - RISE) / (FALLEN - RISE);
    double height = at <= 0 || at >= 1 ? 0 : Math.pow(Math.sin(Math.PI * at), 2);
    return 1 + (int) Math.round((clientsMax - 1) * height);
  }
}
