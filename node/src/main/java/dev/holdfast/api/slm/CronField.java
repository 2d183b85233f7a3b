package dev.holdfast.api.slm;

import java.util.BitSet;
import java.util.List;

/// One field of a [CronExpression] that is numbers: `*`, `5`, `1-5`, `0/15`, `MON,WED`.
final class CronField {
  private final String name;
  private final int min;
  private final int max;
  private final List<String> words;

  /// @param name for messages
  /// @param words that stand for the numbers from `min` on; none for a field that has no such words
  CronField(String name, int min, int max, List<String> words) {
    this.name = name;
    this.min = min;
    this.max = max;
    this.words = words;
  }

  /// The numbers that are meant.
  ///
  /// @param text in upper case
  /// @throws IllegalArgumentException with a reason for people
  BitSet parse(String text) {
    BitSet meant = new BitSet();
    for (String one : text.split(",", -1)) {
      int slash = one.indexOf('/');
      String range = slash < 0 ? one : one.substring(0, slash);
      int step = slash < 0 ? 1 : step(one.substring(slash + 1));
      int dash = range.indexOf('-');
      if (range.equals("*") || (range.isEmpty() && slash >= 0)) {
        add(meant, min, max, step);
      } else if (dash > 0) {
        add(meant, number(range.substring(0, dash)), number(range.substring(dash + 1)), step);
      } else {
        int from = number(range);
        add(meant, from, slash < 0 ? from : max, step);
      }
    }
    return meant;
  }

  /// From behind the last one on it goes on with the first.
  private void add(BitSet meant, int from, int to, int step) {
    int length = max - min + 1;
    int end = to >= from ? to : to + length;
    for (int at = from; at <= end; at += step) {
      meant.set(at > max ? at - length : at);
    }
  }

  private int step(String text) {
    int step = digits(text);
    if (step < 1 || step > max) {
      throw new IllegalArgumentException("[" + text + "] is no step of the " + name);
    }
    return step;
  }

  /// A number of this field, or the word for one.
  int number(String text) {
    int word = words.indexOf(text);
    int number = word >= 0 ? min + word : digits(text);
    if (number < min || number > max) {
      throw new IllegalArgumentException(
          "[" + text + "] is no " + name + ": it must be between " + min + " and " + max);
    }
    return number;
  }

  private int digits(String text) {
    if (text.isEmpty() || text.length() > 4 || !text.chars().allMatch(Character::isDigit)) {
      throw new IllegalArgumentException("[" + text + "] is no " + name);
    }
    return Integer.parseInt(text);
  }
}
