package dev.holdfast.oracle;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// A text with places that are drawn by chance.
sealed interface Template {
  /// How deep rules may refer to each other in one text.
  int DEPTH_MAX = 60;

  /// Appends one text of this template.
  ///
  /// @param rules templates by name
  void draw(Function<String, Template> rules, Random random, StringBuilder into, int depth);

  /// Text as it stands.
  record Literal(String text) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      into.append(text);
    }
  }

  /// One part after the other.
  record Sequence(List<Template> parts) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      for (Template part : parts) {
        part.draw(rules, random, into, depth);
      }
    }
  }

  /// A number that comes once: how long the text is so far.
  record Unique() implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      into.append(into.length());
    }
  }

  /// What a rule says.
  record Reference(String rule) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      if (depth > DEPTH_MAX) {
        throw new IllegalStateException("rules refer to each other for ever [" + rule + "]");
      }
      rules.apply(rule).draw(rules, random, into, depth + 1);
    }
  }

  /// One of several, all as likely.
  record Choice(List<Template> alternatives) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      alternatives.get(random.nextInt(alternatives.size())).draw(rules, random, into, depth);
    }
  }

  /// There in half of the texts.
  record Maybe(Template inner) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      if (random.nextBoolean()) {
        inner.draw(rules, random, into, depth);
      }
    }
  }

  /// Something within as many openings as closings: to any depth, without recursion.
  record Nested(int timesMin, int timesMax, Template open, Template inner, Template close)
      implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      int times = random.nextInt(timesMin, timesMax + 1);
      for (int i = 0; i < times; i++) {
        open.draw(rules, random, into, depth);
      }
      inner.draw(rules, random, into, depth);
      for (int i = 0; i < times; i++) {
        close.draw(rules, random, into, depth);
      }
    }
  }

  /// Several times.
  record Repeat(int timesMin, int timesMax, String separator, Template inner) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      int times = random.nextInt(timesMin, timesMax + 1);
      for (int i = 0; i < times; i++) {
        into.append(i == 0 ? "" : separator);
        inner.draw(rules, random, into, depth);
      }
    }
  }

  /// A number of a range, with as many decimals as its bounds are written with.
  record NumberBetween(BigDecimal min, BigDecimal max) implements Template {
    @Override
    public void draw(
        Function<String, Template> rules, Random random, StringBuilder into, int depth) {
      int decimals = Math.max(min.scale(), max.scale());
      BigDecimal span = max.subtract(min).scaleByPowerOfTen(decimals);
      BigDecimal step =
          new BigDecimal(random.nextLong(span.longValueExact() + 1)).scaleByPowerOfTen(-decimals);
      into.append(min.add(step).setScale(decimals, RoundingMode.UNNECESSARY).toPlainString());
    }
  }
}
