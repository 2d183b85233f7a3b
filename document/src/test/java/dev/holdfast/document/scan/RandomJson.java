package dev.holdfast.document.scan;

import java.util.Arrays;
import java.util.Random;

/// Random JSON texts, and texts that are nearly JSON.
final class RandomJson {
  private static final String[] STRINGS = {
    "",
    "a",
    "plain text of some length",
    "naïve",
    "海藻",
    "🦀🦀",
    "\\n",
    "\\\"",
    "\\\\",
    "\\u0041",
    "\\ud83d\\ude00",
    "12345678",
    "1234567\\t",
    "/",
    "ÿ",
    "\u2028"
  };
  private static final String[] NUMBERS = {
    "0", "-1", "12", "3.25", "-0.5", "1e3", "2E-2", "123456789012", "0.1", "99999999999999999999"
  };
  private static final byte[] MISCHIEF = {
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    'e',
    '.',
    '-',
    ' ',
    '\n',
    1,
    9,
    -1,
    (byte) 0xC3,
    'u',
    't'
  };

  private RandomJson() {}

  static void value(Random random, StringBuilder to, int depth) {
    space(random, to);
    switch (random.nextInt(depth > 4 ? 5 : 8)) {
      case 0 -> string(random, to);
      case 1 -> to.append(NUMBERS[random.nextInt(NUMBERS.length)]);
      case 2 -> to.append(random.nextInt());
      case 3 -> to.append(random.nextBoolean());
      case 4 -> to.append("null");
      case 5 -> {
        to.append('[');
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
          to.append(i == 0 ? "" : ",");
          value(random, to, depth + 1);
        }
        to.append(']');
      }
      default -> {
        to.append('{');
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
          to.append(i == 0 ? "" : ",");
          string(random, to);
          space(random, to);
          to.append(':');
          value(random, to, depth + 1);
        }
        to.append('}');
      }
    }
    space(random, to);
  }

  private static void string(Random random, StringBuilder to) {
    to.append('"');
    int parts = random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      to.append(STRINGS[random.nextInt(STRINGS.length)]);
    }
    to.append('"');
  }

  private static void space(Random random, StringBuilder to) {
    if (random.nextInt(6) == 0) {
      to.append(" \n\t\r".charAt(random.nextInt(4)));
    }
  }

  static byte[] mutate(Random random, byte[] json) {
    byte[] bytes = json.clone();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = MISCHIEF[random.nextInt(MISCHIEF.length)];
        case 1 -> bytes = Arrays.copyOf(bytes, at);
        default -> {
          byte[] shorter = Arrays.copyOf(bytes, bytes.length - 1);
          System.arraycopy(bytes, at + 1, shorter, at, bytes.length - at - 1);
          bytes = shorter;
        }
      }
    }
    return bytes;
  }
}
