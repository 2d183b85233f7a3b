package dev.holdfast.codec.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

final class BloomFilterTest {
  @Test
  void hashesAreThoseOfWrittenFiles() {
    assertThat(TermHash.of(new BytesRef(""))).isEqualTo(0xC9D874CEA6622D9EL);
    assertThat(TermHash.of(new BytesRef("id-1"))).isEqualTo(0xBAFD751170045FA9L);
    assertThat(TermHash.of(new BytesRef("a long id of more than eight bytes")))
        .isEqualTo(0x778F2CFEAA7A90DCL);
  }
}
