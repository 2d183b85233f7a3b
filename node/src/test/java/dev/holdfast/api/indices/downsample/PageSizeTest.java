package dev.holdfast.api.indices.downsample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PageSizeTest {
  private final PageSize size = new PageSize();

  @Test
  void growsToWhatFits() {
    for (int i = 0; i < 10; i++) {
      size.read(size.documents(), size.documents() * 100L);
    }
    assertThat(size.documents()).isEqualTo(PageSize.DOCUMENTS_MAX);

    size.read(1000, 1000L << 20);
    assertThat(size.documents()).isEqualTo(4);

    size.read(4, 4L << 30);
    assertThat(size.documents()).isEqualTo(1);
  }

  @Test
  void growsToTheDoubleAtMost() {
    int first = size.documents();
    size.read(1, 0);
    assertThat(size.documents()).isEqualTo(2 * first);
  }

  @Test
  void isHalvedDownToOneDocument() {
    int halvings = 0;
    while (size.halve()) {
      halvings++;
    }
    assertThat(halvings).isBetween(4, 10);
    assertThat(size.documents()).isEqualTo(1);
  }
}
