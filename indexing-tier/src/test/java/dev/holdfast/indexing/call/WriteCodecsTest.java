package dev.holdfast.indexing.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WriteCodecsTest {
  @Test
  void aWriteComesBackAndItsFormatStays() throws Exception {
    // given
    byte[] body = "..{\"a\":1}..".getBytes(StandardCharsets.UTF_8);
    WriteOperation operation =
        new WriteOperation(
            3,
            Kind.UPDATE,
            "id",
            false,
            "r",
            body,
            2,
            7,
            new Condition(5, 6, -3, VersionType.INTERNAL),
            2,
            Map.of("x", "t"),
            false);
    // when
    byte[] bytes = WireValues.bytes(WriteCodecs.OPERATION, operation);
    // then
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "0306555044415445"
                + "026964"
                + "00"
                + "010172"
                + "087b2261223a317d"
                + "01"
                + "0a0c05"
                + "08494e5445524e414c"
                + "02"
                + "0101780174");
    assertThat(WireValues.value(WriteCodecs.OPERATION, bytes))
        .usingRecursiveComparison()
        .ignoringFields("bytes", "offset")
        .isEqualTo(operation);
  }

  /// Earlier builds pass over what is added.
  @Test
  void thatNobodyWantsTheDocumentIsAddedAtTheEnd() throws Exception {
    WriteOperation shown =
        new WriteOperation(
            3, Kind.UPDATE, "id", false, null, new byte[] {'{', '}'}, 0, 2, Condition.NONE, 2);

    byte[] bytes = WireValues.bytes(WriteCodecs.OPERATION, shown.withoutSource());

    assertThat(bytes).startsWith(WireValues.bytes(WriteCodecs.OPERATION, shown)).endsWith(1);
    assertThat(WireValues.value(WriteCodecs.OPERATION, bytes).isSourceUnwanted()).isTrue();
    assertThat(
            WireValues.value(WriteCodecs.OPERATION, WireValues.bytes(WriteCodecs.OPERATION, shown))
                .isSourceUnwanted())
        .isFalse();
  }

  @Test
  void attemptsComeBack() throws Exception {
    WriteAttempt attempt =
        new WriteAttempt(new WriteOrigin(-5, 900, 3), 2, java.util.List.of(0, 4, 300));

    assertThat(
            WireValues.value(WriteCodecs.ATTEMPT, WireValues.bytes(WriteCodecs.ATTEMPT, attempt)))
        .isEqualTo(attempt);
    assertThat(WireValues.bytes(WriteCodecs.ATTEMPT, WriteAttempt.ONLY)).hasSize(12);
  }

  @Test
  void resultsComeBack() throws Exception {
    WriteResult done =
        new WriteResult.Done("1", WriteResult.Effect.UPDATED, 5, 2, 9, new byte[] {1});
    WriteResult refused =
        new WriteResult.Refused(
            "2", new Refusal(ErrorType.VERSION_CONFLICT, "no").with("shard", "0"));

    assertThat(WireValues.value(WriteCodecs.RESULT, WireValues.bytes(WriteCodecs.RESULT, done)))
        .usingRecursiveComparison()
        .isEqualTo(done);
    assertThat(WireValues.value(WriteCodecs.RESULT, WireValues.bytes(WriteCodecs.RESULT, refused)))
        .isInstanceOfSatisfying(
            WriteResult.Refused.class,
            there -> {
              assertThat(there.id()).isEqualTo("2");
              assertThat(there.refusal().type()).isEqualTo(ErrorType.VERSION_CONFLICT);
              assertThat(there.refusal().metadata()).containsEntry("shard", "0");
            });
  }

  @Test
  void countersComeBack() throws Exception {
    long[] numbers = new long[ShardStats.NUMBERS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i * 3L - 1;
    }
    ShardStats stats = ShardStats.of(numbers);

    assertThat(WireValues.value(WriteCodecs.STATS, WireValues.bytes(WriteCodecs.STATS, stats)))
        .isEqualTo(stats);
    assertThat(stats.figure(ShardFigure.VERSION_MAP_BYTES)).isEqualTo(numbers[numbers.length - 1]);
  }
}
