package dev.holdfast.indexing.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.DocumentSource;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// About four bytes a byte, a hundred a different word, 48 a value.
final class DocumentMemoryTest {
  private static long of(String json) {
    byte[] bytes = ("??" + json).getBytes(UTF_8);
    return DocumentMemory.of(new DocumentSource("1", null, bytes, 2, bytes.length - 2));
  }

  private static String text(String text) {
    return "{\"t\":\"" + text + "\"}";
  }

  @Test
  void wordsThatComeAgainCostNothing() {
    String prose = text("Call me, if you will, Ishmael. ".repeat(100_000));

    assertThat(of(prose)).isBetween(4L * prose.length(), 4L * prose.length() + 2_000);
  }

  @Test
  void differentWordsCostWhatTheirPostingsTake() {
    String words =
        text(IntStream.range(0, 500_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" ")));

    assertThat(of(words) - 4L * words.length()).isBetween(49_000_000L, 51_000_000L);
  }

  /// Of a few hundred parts.
  @Test
  void differentTokensWithPunctuationAreWordsToo() {
    String tokens =
        text(
            IntStream.range(0, 250_000)
                .mapToObj(i -> i / 500 + "-" + i % 500)
                .collect(Collectors.joining("\\n")));

    assertThat(of(tokens) - 4L * tokens.length()).isBetween(24_000_000L, 26_000_000L);
  }

  @Test
  void manyMoreWordsThanAreCountedApartAreAllCounted() {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 6_000_000; i++) {
      words.append(Integer.toString(i, 36)).append(' ');
    }

    assertThat(of(text(words.toString())) - 4L * words.length())
        .isBetween(580_000_000L, 620_000_000L);
  }

  @Test
  void valuesAreCountedOutsideOfTexts() {
    String numbers = "{\"n\":[" + "1,".repeat(100_000) + "1]}";
    String commas = text("\\\",".repeat(100_000));

    assertThat(of(numbers) - 4L * numbers.length()).isBetween(4_800_000L, 4_810_000L);
    assertThat(of(commas) - 4L * commas.length()).isBetween(0L, 1_000L);
  }
}
