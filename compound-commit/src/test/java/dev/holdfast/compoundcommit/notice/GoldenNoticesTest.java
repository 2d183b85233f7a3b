package dev.holdfast.compoundcommit.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.world.Golden;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Notices as this build and those before it say them.
final class GoldenNoticesTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "uuid"), 3);

  private static <T> void check(Call<?, ?> call, String part, Codec<T> codec, T value)
      throws Exception {
    String name = "calls/" + call.name() + "/v" + call.versions().newest() + "/" + part;
    List<byte[]> all = Golden.of(name, WireValues.bytes(codec, value));
    for (byte[] bytes : all) {
      assertThat(WireValues.value(codec, bytes)).as(name).isNotNull();
    }
    assertThat(WireValues.value(codec, all.getLast())).isEqualTo(value);
  }

  private static CompoundCommit commit() {
    TreeMap<String, FileLocation> files = new TreeMap<>();
    files.put("_0.cfs", new FileLocation(new BlobId(2, 9), 4096, 1_000_000));
    files.put("segments_h", new FileLocation(new BlobId(3, 17), 0, 8));
    return new CompoundCommit(
        3, 17, "segments_h", new TranslogPosition("node-a", 5), -1, 12, 1_700_000_000_000L, files);
  }

  @Test
  void noticesHaveTheirGoldenBytes() throws Exception {
    InUse used =
        new InUse(
            new TreeSet<>(List.of(3L, 17L)),
            new TreeSet<>(List.of(new BlobId(2, 9), new BlobId(3, 17))),
            250);

    check(
        NoticeCalls.COMMIT,
        "question",
        NoticeCalls.COMMIT.question(),
        new CommitNotice(SHARD, commit(), Optional.of(new BlobId(2, 9)), 41, 3));
    check(NoticeCalls.COMMIT, "answer", NoticeCalls.COMMIT.answer(), used);
    check(
        NoticeCalls.IN_USE,
        "question",
        NoticeCalls.IN_USE.question(),
        new NoticeCalls.InUseQuestion(SHARD, 41));
    check(NoticeCalls.IN_USE, "answer", NoticeCalls.IN_USE.answer(), used);
  }
}
