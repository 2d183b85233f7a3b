package dev.holdfast.query.suggest;

import dev.holdfast.world.Registry;

/// Every suggester the search body knows.
public final class Suggesters {
  /// Suggesters by name: one line a kind.
  public static final Registry<Suggester.Parser> ALL =
      Registry.<Suggester.Parser>of("suggester")
          .with("term", TermSuggester::parse)
          .with("phrase", PhraseSuggester::parse)
          .with("completion", CompletionSuggester::parse);

  private Suggesters() {}
}
