package dev.holdfast.query.question;

import dev.holdfast.world.Registry;

/// Every question that nodes ask about one shard.
public final class ShardQuestions {
  /// Questions by name.
  public static final Registry<ShardQuestion> ALL =
      Registry.<ShardQuestion>of("question")
          .with(Explaining.NAME, Explaining::answer)
          .with(Validating.NAME, Validating::answer)
          .with(Matching.NAME, Matching::answer)
          .with(Present.NAME, Present::answer)
          .with(TermListing.NAME, TermListing::answer)
          .with(FieldBytes.NAME, FieldBytes::answer)
          .with(TermVectors.NAME, TermVectors::answer);

  private ShardQuestions() {}
}
