package dev.holdfast.api.search;

import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How scores of one retriever are made comparable with those of another.
enum ScoreNormalizer {
  NONE {
    @Override
    List<Float> of(List<Float> scores) {
      return scores;
    }
  },
  /// The least becomes 0 and the greatest 1; all 1 where they are the same.
  MINMAX {
    @Override
    List<Float> of(List<Float> scores) {
      float least = scores.stream().min(Float::compare).orElse(0f);
      float greatest = scores.stream().max(Float::compare).orElse(0f);
      float span = greatest - least;
      return scores.stream().map(score -> span > 0 ? (score - least) / span : 1f).toList();
    }
  },
  /// Divided by the root of the sum of their squares.
  L2_NORM {
    @Override
    List<Float> of(List<Float> scores) {
      double squares = scores.stream().mapToDouble(score -> score * (double) score).sum();
      float length = (float) Math.sqrt(squares);
      return length > 0 ? scores.stream().map(score -> score / length).toList() : scores;
    }
  };

  abstract List<Float> of(List<Float> scores);

  static ScoreNormalizer of(@Nullable String name) {
    return switch (name == null ? "none" : name) {
      case "none" -> NONE;
      case "minmax" -> MINMAX;
      case "l2_norm" -> L2_NORM;
      default -> throw Refusal.badArgument("Unknown normalizer [" + name + "]");
    };
  }
}
