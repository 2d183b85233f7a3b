package dev.holdfast.indexing.call;

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
import dev.holdfast.compoundcommit.call.WireValues.Done;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.sweep.SweepCalls;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Golden;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What this build and those before it say to indexing nodes.
final class IndexingGoldenCallsTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "uuid"), 3);
  private static final byte[] SOURCE = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

  private static <Q, A> void check(Call<Q, A> call, Q question, A answer) throws Exception {
    check(call, "question", call.question(), question);
    check(call, "answer", call.answer(), answer);
  }

  private static <T> void check(Call<?, ?> call, String part, Codec<T> codec, T value)
      throws Exception {
    String name = "calls/" + call.name() + "/v" + call.versions().newest() + "/" + part;
    byte[] written = WireValues.bytes(codec, value);
    for (byte[] bytes : Golden.of(name, written)) {
      assertThat(WireValues.value(codec, bytes)).as(name).isNotNull();
    }
    assertThat(WireValues.bytes(codec, WireValues.value(codec, written)))
        .as(name)
        .isEqualTo(written);
  }

  @Test
  void writesHaveTheirGoldenBytes() throws Exception {
    WriteOperation operation =
        new WriteOperation(
            3,
            Kind.UPDATE,
            "id",
            false,
            "r",
            SOURCE,
            0,
            SOURCE.length,
            new Condition(5, 6, -3, VersionType.INTERNAL),
            2,
            Map.of("x", "t"),
            false);

    check(
        IndexingCalls.WRITE,
        new IndexingCalls.Write(
            SHARD,
            new WriteAttempt(new WriteOrigin(7, 300, 200), 2, List.of(0, 4)),
            List.of(operation, operation)),
        List.of(
            new WriteResult.Done("1", WriteResult.Effect.UPDATED, 5, 2, 9, SOURCE),
            new WriteResult.Refused(
                "2", new Refusal(ErrorType.VERSION_CONFLICT, "no").with("shard", "0"))));
  }

  @Test
  void readsHaveTheirGoldenBytes() throws Exception {
    TreeMap<String, FileLocation> files = new TreeMap<>();
    files.put("segments_h", new FileLocation(new BlobId(3, 17), 0, 8));
    CompoundCommit commit =
        new CompoundCommit(
            3, 17, "segments_h", new TranslogPosition("node-a", 5), -1, 12, 1_700_000, files);

    check(
        IndexingCalls.GET,
        new IndexingCalls.Id(SHARD, "id"),
        new RealTimeDocument(true, 5, 2, 9, "r", SOURCE));
    check(
        IndexingCalls.CHUNK,
        new IndexingCalls.Chunk(SHARD, new BlobId(3, 17), 300, 4096),
        Optional.of(SOURCE));
    check(
        IndexingCalls.NEWEST,
        new IndexingCalls.Newest(SHARD, "node-b", 41),
        new CommitNotice(SHARD, commit, Optional.empty(), 41, 3));
    long[] numbers = new long[ShardStats.NUMBERS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i * 300L;
    }
    check(IndexingCalls.STATS, SHARD, ShardStats.of(numbers));
  }

  @Test
  void whatIsToBeDoneHasItsGoldenBytes() throws Exception {
    check(IndexingCalls.FORCE_MERGE, new IndexingCalls.ForceMerge(SHARD, 1, true), Done.DONE);
    check(IndexingCalls.SEARCHED, SHARD, Done.DONE);
    check(IndexingCalls.REFRESH, new IndexingCalls.AtState(SHARD, 41), Done.DONE);
    check(IndexingCalls.AWAIT_REFRESH, SHARD, Done.DONE);
    check(IndexingCalls.REFRESH_DIVIDED, new IndexingCalls.Refresh(SHARD, 41, 7, true), Done.DONE);
    check(IndexingCalls.FLUSH, new IndexingCalls.AtState(SHARD, 41), Done.DONE);
    check(IndexingCalls.UPLOAD, SHARD, Done.DONE);
    check(IndexingCalls.AWAIT_OPEN, SHARD, Done.DONE);
    check(
        SweepCalls.FOUND,
        new SweepCalls.Found(SHARD, List.of(new BlobId(2, 9), new BlobId(3, 17))),
        2);
    check(SweepCalls.SETTLED, Done.DONE, List.of(SHARD));
  }
}
