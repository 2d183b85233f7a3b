package dev.holdfast.oracle.dialect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/// Breaks the text of a script: its words go, come twice, change places or become others, and parts
/// of it are repeated or put into one another.
public final class ScriptEdits {
  private static final int EDITS_MAX = 2;
  private static final int REPEATS_MAX = 2000;
  private static final int DEPTH_MAX = 400;

  private static final Pattern WORD =
      Pattern.compile("[A-Za-z_$][\\w$]*|[0-9][\\w.]*|'[^']*'|\\s+|(?s).");

  private static final List<String> WORDS =
      List.of(
          "def",
          "int",
          "long",
          "float",
          "double",
          "byte",
          "char",
          "boolean",
          "String",
          "List",
          "Map",
          "Object",
          "void",
          "null",
          "true",
          "return",
          "for",
          "while",
          "do",
          "if",
          "else",
          "break",
          "continue",
          "try",
          "catch",
          "throw",
          "new",
          "in",
          "this",
          "instanceof",
          "params",
          "doc",
          "ctx",
          "_source",
          "_score",
          "_value",
          "state",
          "emit",
          "field",
          "value",
          "x",
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          ";",
          ",",
          ".",
          "?.",
          ":",
          "?",
          "?:",
          "::",
          "->",
          "=",
          "+=",
          "==",
          "===",
          "=~",
          "==~",
          "+",
          "-",
          "*",
          "/",
          "%",
          "<",
          ">",
          "<<",
          ">>>",
          "&",
          "|",
          "^",
          "&&",
          "||",
          "!",
          "~",
          "++",
          "--",
          "0",
          "1",
          "-1",
          "2147483647",
          "9223372036854775807L",
          "1e308",
          "0.0",
          "1f",
          "'a'",
          "''",
          "/a/",
          "/(a+)+b/",
          "/(|)/",
          "//",
          "/*",
          "*/",
          "$",
          "@",
          "#",
          "Math",
          "Math.max",
          "Integer",
          "new ArrayList()",
          "new int[2]",
          "new HashMap()",
          "[1, 2, 3]",
          "['a': 1]",
          "x -> x",
          "(a, b) -> a + b",
          "size()",
          "get(0)",
          "stream()",
          "collect(Collectors.toList())",
          "toString()",
          "hashCode()",
          "equals(null)",
          "substring(1)",
          "for (;;) {}",
          "while (true) { x++ }",
          "int f(int n) { return f(n + 1) }",
          "\\",
          "\n",
          "\u0000",
          "\u00e9",
          "\u65e5",
          "\ud800");

  private static final List<List<String>> AROUND =
      List.of(
          List.of("(", ")"),
          List.of("[", "]"),
          List.of("{", "}"),
          List.of("!(", ")"),
          List.of("(int) (", ")"),
          List.of("if (true) { ", " }"),
          List.of("for (;;) { ", " }"),
          List.of("['a': ", "]"),
          List.of("x -> { ", " }"),
          List.of("Math.abs(", ")"),
          List.of("[1].stream().map(x -> ", ")"),
          List.of("true ? ", " : 1"));

  private ScriptEdits() {}

  /// The same text with an edit or two; the same for the same random numbers.
  public static String edit(String script, Random random) {
    List<String> words = new ArrayList<>();
    WORD.matcher(script).results().forEach(found -> words.add(found.group()));
    for (int i = 0; i <= random.nextInt(EDITS_MAX); i++) {
      one(words, random);
    }
    return String.join("", words);
  }

  private static void one(List<String> words, Random random) {
    int at = random.nextInt(words.size() + 1);
    int other = random.nextInt(words.size() + 1);
    List<String> part = words.subList(Math.min(at, other), Math.max(at, other));
    switch (random.nextInt(words.isEmpty() ? 1 : 9)) {
      case 0, 1 -> words.add(at, any(WORDS, random));
      case 2, 3 -> words.set(at % words.size(), any(WORDS, random));
      case 4 -> words.remove(at % words.size());
      case 5 -> Collections.swap(words, at % words.size(), other % words.size());
      case 6 -> part.clear();
      case 7 -> words.addAll(at, List.copyOf(words.subList(other / 2, other)));
      default -> {
        boolean isDeep = random.nextBoolean();
        int times = 1 + random.nextInt(isDeep ? DEPTH_MAX : REPEATS_MAX);
        String text = String.join("", part);
        List<String> around = any(AROUND, random);
        part.clear();
        words.add(
            Math.min(at, other),
            isDeep
                ? around.getFirst().repeat(times) + text + around.getLast().repeat(times)
                : text.repeat(Math.min(times, 100_000 / (1 + text.length()))));
      }
    }
  }

  private static <T> T any(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }
}
