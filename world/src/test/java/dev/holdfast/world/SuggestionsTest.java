package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SuggestionsTest {
  @Test
  void namesOfWhichMoreThanHalfIsTheSameAreNear() {
    List<String> known = List.of("match", "match_all", "march", "term", "m");

    assertThat(Suggestions.near("mach", known)).containsExactly("march", "match");
    assertThat(Suggestions.near("ter", known)).containsExactly("term");
    assertThat(Suggestions.near("", List.of("", "a"))).containsExactly("");
    assertThat(Suggestions.near("ab", List.of("abcd", "abc"))).containsExactly("abc");
  }

  /// Names of settings are put together from those of objects in objects, and may be megabytes.
  @Test
  void whatIsMuchLongerIsNotCompared() {
    List<String> known = Collections.nCopies(2_000, "cluster.routing.allocation.enable");

    assertThat(Suggestions.near("n".repeat(5_000_000), known)).isEmpty();
  }
}
