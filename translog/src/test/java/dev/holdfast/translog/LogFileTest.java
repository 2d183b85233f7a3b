package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.translog.Operation.Sent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LogFileTest extends LogFixture {
  @Test
  void operationsSurviveTheirBytes() throws Exception {
    NodeLog log = new NodeLog(world, store, new Member("a"), LogConfig.unmetered());
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Operation> written = new ArrayList<>();
    WriteOrigin origin = WriteOrigin.NONE;
    int ordinal = 0;
    for (int i = 0; i < 500; i++) {
      if (random.nextInt(5) == 0) {
        origin =
            random.nextInt(4) == 0
                ? WriteOrigin.NONE
                : new WriteOrigin(random.nextLong() | 1, i + 10L, random.nextInt(i + 10));
        ordinal = random.nextInt(3);
      }
      boolean found = random.nextBoolean();
      ordinal += random.nextInt(3) == 0 ? 2 : 1;
      Sent sent = new Sent(origin, origin.isNone() ? 0 : ordinal, found);
      byte[] source = new byte[random.nextInt(300)];
      random.nextBytes(source);
      String routing = random.nextBoolean() ? "r" + i : null;
      written.add(
          random.nextInt(4) == 0
              ? new Operation.Delete(random.nextLong() >>> 1, i, "délété-" + i, sent)
              : new Operation.Index(
                  random.nextLong() >>> 1,
                  i,
                  "ïd" + i,
                  routing,
                  routing == null,
                  source,
                  0,
                  source.length,
                  sent));
    }
    log.await(log.append(SHARD, 7, written));

    List<Operation> read = new ArrayList<>();
    new LogReplay(world, store, "successor")
        .replay(
            LogReplay.Wanted.of(SHARD, "a", 0),
            (term, operations) -> {
              assertThat(term).isEqualTo(7);
              read.addAll(operations);
            });
    assertThat(read).as("seed " + seed).hasSameSizeAs(written);
    for (int i = 0; i < written.size(); i++) {
      if (written.get(i) instanceof Operation.Index w && read.get(i) instanceof Operation.Index r) {
        assertThat(r.seqNo()).isEqualTo(w.seqNo());
        assertThat(r.id()).isEqualTo(w.id());
        assertThat(r.routing()).isEqualTo(w.routing());
        assertThat(r.isAppend()).isEqualTo(w.isAppend());
        assertThat(r.sent()).isEqualTo(w.sent());
        assertThat(java.util.Arrays.copyOfRange(r.bytes(), r.offset(), r.offset() + r.length()))
            .isEqualTo(w.bytes());
      } else {
        assertThat(read.get(i)).isEqualTo(written.get(i));
      }
    }
  }

  @Test
  void anyFlippedByteIsRefused() throws IOException {
    LogFile.Frame frame = new LogFile.Frame(SHARD, 1);
    frame.add(index(5, "id", "{\"a\":1}"));
    byte[] good =
        LogFile.write("key", List.of(frame), false, -1, List.of(OTHER)).open().readAllBytes();
    for (int i = 0; i < good.length; i++) {
      byte[] flipped = good.clone();
      flipped[i] ^= 1;
      boolean isOfOtherCopy = i < framesFrom(good);
      if (isOfOtherCopy) {
        assertThat(LogFile.head(flipped, flipped.length)).as("byte " + i).isEmpty();
      } else {
        assertThatThrownBy(() -> readAll(flipped)).as("byte " + i).isInstanceOf(IOException.class);
      }
    }
  }

  private static long framesFrom(byte[] file) {
    LogFile.Tail head = LogFile.head(file, file.length).orElseThrow();
    return ((LogFile.Tail.Directory) head).entries().getFirst().offset();
  }

  private static List<Operation> readAll(byte[] file) throws IOException {
    LogFile.Tail tail = LogFile.tail(file, file.length, "key");
    LogFile.Entry entry = ((LogFile.Tail.Directory) tail).entries().getFirst();
    byte[] bytes =
        java.util.Arrays.copyOfRange(
            file, (int) entry.offset(), (int) entry.offset() + entry.length());
    return LogFile.operations(entry, bytes, "key");
  }

  /// The format is what is in people's buckets: these bytes must stay readable for ever.
  @Test
  void goldenBytesAreStillRead() throws Exception {
    byte[] golden = HexFormat.of().parseHex(GOLDEN);

    assertThat(readAll(golden))
        .singleElement()
        .satisfies(operation -> {
          Operation.Index index = (Operation.Index) operation;
          assertThat(index.seqNo()).isEqualTo(5);
          assertThat(index.id()).isEqualTo("id");
          assertThat(
                  new String(index.bytes(), index.offset(), index.length(), StandardCharsets.UTF_8))
              .isEqualTo("{\"a\":1}");
        });
  }

  /// As version 2 writes them: the write is named once, what does not follow is said.
  @Test
  void goldenOperationsStayAsTheyAre() throws Exception {
    WriteOrigin origin = new WriteOrigin(0x0102030405060708L, 300, 298);
    byte[] source = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    LogFile.Frame frame = new LogFile.Frame(SHARD, 1);
    List<Operation> operations =
        List.of(
            new Operation.Index(5, 1, "id", null, false, source, 0, 7, new Sent(origin, 0, false)),
            new Operation.Delete(6, 2, "id", new Sent(origin, 1, true)),
            new Operation.Index(
                7, 4, "other", null, false, source, 0, 7, new Sent(origin, 3, true)));

    operations.forEach(frame::add);

    byte[] bytes = frame.bytes.toArray();
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "050102030405060708ac020200"
                + "010501026964077b2261223a317d"
                + "440602026964"
                + "0603"
                + "410704056f74686572077b2261223a317d");
    OperationCodec.Reader reader = new OperationCodec.Reader(bytes);
    for (Operation operation : operations) {
      assertThat(reader.next().sent()).isEqualTo(operation.sent());
    }
  }

  private static final String GOLDEN =
      "28b52ffd200e710000010501026964077b2261223a317d0109757569642d6c6f"
          + "6773046c6f6773000101050500170e24119dd048464c4f473030310000000100"
          + "000000000000170000001c7d18b1241879b506";
}
