package dev.holdfast.indexing.version;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VersionMapTest {
  private final VersionMap versions = new VersionMap();

  @Test
  void sourcesAreKeptWhileSomebodyAsksForThem() {
    assertThat(versions.keepsSources()).isFalse();
    versions.askForSources();
    for (int i = 0; i < 31; i++) {
      reopen();
      assertThat(versions.keepsSources()).isTrue();
    }
    reopen();
    assertThat(versions.keepsSources()).isFalse();
  }

  @Test
  void sourcesAloneForceNoReopening() {
    versions.askForSources();
    int kept = 0;
    while (versions.keepsSources()) {
      versions.put("id" + kept++, entry(new byte[1 << 16]));
    }
    assertThat(kept).isEqualTo(32); // of 64 KiB: 2 MiB
    reopen();
    assertThat(versions.keepsSources()).isTrue();
    assertThat(versions.bytes()).isZero();
  }

  @Test
  void whatAFailedReopeningLeavesIsCountedOn() {
    versions.askForSources();
    versions.put("a", entry(new byte[2 << 20]));
    versions.beginReopen();
    assertThat(versions.keepsSources()).isTrue();
    versions.abortReopen();
    assertThat(versions.keepsSources()).isFalse();
    assertThat(versions.entry("a")).isNotNull();
  }

  @Test
  void appendsAreLackedUntilTheyAreShown() {
    versions.append("abc", entry(new byte[0]));
    assertThat(versions.mayLack("xyz")).isTrue();
    assertThat(versions.mayLack("ab")).isFalse();
    versions.append("x".repeat(63), entry(new byte[0]));
    assertThat(versions.mayLack("y".repeat(500))).isTrue();

    versions.beginReopen();
    assertThat(versions.mayLack("xyz")).isTrue();
    versions.abortReopen();
    assertThat(versions.mayLack("xyz")).isTrue();
    reopen();
    assertThat(versions.mayLack("xyz")).isFalse();
  }

  private void reopen() {
    versions.beginReopen();
    versions.endReopen();
  }

  private static VersionMap.Entry entry(byte[] source) {
    return new VersionMap.Entry(0, 1, 1, false, 0, new VersionMap.Source(source, null));
  }
}
