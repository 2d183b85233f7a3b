package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShardsByFileTest {
  private static final ShardId WRITTEN = new ShardId(new IndexId("books", "uuid"), 0);
  private static final ShardId OTHER = new ShardId(new IndexId("films", "uuid2"), 0);

  private final ShardsByFile files = new ShardsByFile();

  @Test
  void ofAFileThatWasReadItIsKnownWhoseOperationsItHas() {
    files.read("1", List.of(entry(WRITTEN)));
    assertThat(files.isWithout("1", WRITTEN)).isFalse();
    assertThat(files.isWithout("1", OTHER)).isTrue();
    assertThat(files.isWithout("2", OTHER)).isFalse(); // nobody has read it
  }

  @Test
  void theFilesThatWereReadFirstAreForgotten() {
    for (int file = 0; file <= ShardsByFile.FILES_MAX; file++) {
      files.read(Integer.toString(file), List.of(entry(WRITTEN)));
    }
    assertThat(files.isWithout("0", OTHER)).isFalse();
    assertThat(files.isWithout("1", OTHER)).isTrue();
    assertThat(files.isWithout(Integer.toString(ShardsByFile.FILES_MAX), OTHER)).isTrue();
  }

  private static LogFile.Entry entry(ShardId shard) {
    return new LogFile.Entry(shard, 1, 1, 0, 0, 0, 10, 10, 0);
  }
}
