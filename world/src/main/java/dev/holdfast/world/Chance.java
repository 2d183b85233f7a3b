package dev.holdfast.world;

/// Random numbers.
public interface Chance {
  long nextLong();

  /// Uniform in `[0, bound)`.
  int nextInt(int bound);

  /// Uniform in `[0, 1)`.
  double nextDouble();
}
