package dev.holdfast.node.training;

import java.util.Locale;

/// Numbers that look thrown and are the same in every training.
final class TrainingRandom {
  private long state;

  TrainingRandom(long seed) {
    this.state = seed;
  }

  /// From 0 to below `limit`, each as likely (splitmix64).
  int below(int limit) {
    state += 0x9E3779B97F4A7C15L;
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) Long.remainderUnsigned(z ^ (z >>> 31), limit);
  }

  /// From 0 to below `limit`, small ones far more often, as words and names are in the world.
  int skewed(int limit) {
    int a = below(limit);
    return (int) ((long) a * a * below(limit) / limit / limit);
  }

  String word() {
    int number = skewed(5_000);
    StringBuilder word = new StringBuilder(8);
    do {
      word.append("bdfgklmnprstvz".charAt(number % 14)).append("aeiou".charAt(number % 5));
      number /= 14;
    } while (number > 0);
    return word.toString();
  }

  String words(int count) {
    StringBuilder words = new StringBuilder(count * 8);
    for (int i = 0; i < count; i++) {
      words.append(i == 0 ? "" : " ").append(word());
    }
    return words.toString();
  }

  /// The `i`th second of a day that begins a year, and on.
  static String time(int second) {
    return String.format(
        Locale.ROOT,
        "2026-01-%02dT%02d:%02d:%02dZ",
        1 + second / 86_400 % 28,
        second / 3_600 % 24,
        second / 60 % 60,
        second % 60);
  }
}
