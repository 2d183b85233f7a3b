package dev.holdfast.indexing.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.Routing;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

final class TermHashesTest {
  @Test
  void theyAreThoseOfTheTexts() {
    TermHashes hashes = new TermHashes();
    for (String text :
        new String[] {
          "", "a", "document-17", "zürich", "x".repeat(500), "\u0000", "日本", "𝒳", "b"
        }) {
      assertThat(hashes.of(new BytesRef(text))).as(text).isEqualTo(Routing.hash(text));
    }
    byte[] longer = "document-17-and-more".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThat(hashes.of(new BytesRef(longer, 9, 2))).isEqualTo(Routing.hash("17"));
  }
}
