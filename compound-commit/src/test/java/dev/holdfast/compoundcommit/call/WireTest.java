package dev.holdfast.compoundcommit.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nodes of two builds understand each other: what one adds the other skips, what one lacks has a
/// default at the other.
final class WireTest {
  /// A record of this build.
  private record Book(String title, int pages) {
    static final Codec<Book> CODEC =
        Codec.record(
            (out, book) -> {
              out.writeString(book.title);
              out.writeVInt(book.pages);
            },
            in -> new Book(in.readString(), in.readVInt()));
  }

  /// The same in the next build.
  private record NewBook(String title, int pages, List<String> authors) {
    static final Codec<NewBook> CODEC =
        Codec.record(
            (out, book) -> {
              out.writeString(book.title);
              out.writeVInt(book.pages);
              WireValues.writeList(out, WireValues.STRING, book.authors);
            },
            in ->
                new NewBook(
                    in.readString(),
                    in.readVInt(),
                    in.hasMore() ? WireValues.readList(in, WireValues.STRING) : List.of()));
  }

  private static final Codec<List<Book>> SHELF = WireValues.listOf(Book.CODEC);
  private static final Codec<List<NewBook>> NEW_SHELF = WireValues.listOf(NewBook.CODEC);

  @Test
  void anOlderBuildSkipsWhatANewerOneAdds() throws Exception {
    NewBook one = new NewBook("one", 1, List.of("a", "b"));
    NewBook two = new NewBook("two", 2, List.of());

    assertThat(WireValues.value(SHELF, WireValues.bytes(NEW_SHELF, List.of(one, two))))
        .containsExactly(new Book("one", 1), new Book("two", 2));
    assertThat(WireValues.value(Book.CODEC, WireValues.bytes(NewBook.CODEC, one)))
        .isEqualTo(new Book("one", 1));
    assertThat(WireValues.value(WireValues.DONE, WireValues.bytes(NewBook.CODEC, one)))
        .isEqualTo(WireValues.Done.DONE);
  }

  @Test
  void aNewerBuildHasDefaultsForWhatAnOlderOneLacks() throws Exception {
    Book one = new Book("one", 1);
    Book two = new Book("two", 2);

    assertThat(WireValues.value(NEW_SHELF, WireValues.bytes(SHELF, List.of(one, two))))
        .containsExactly(new NewBook("one", 1, List.of()), new NewBook("two", 2, List.of()));
    assertThat(WireValues.value(NewBook.CODEC, WireValues.bytes(Book.CODEC, one)))
        .isEqualTo(new NewBook("one", 1, List.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 127, 128, 16_381, 16_383, 16_384, 2_097_151, 2_097_152})
  void recordsOfEveryLengthComeBack(int length) throws Exception {
    // given: lengths around those that take one byte more
    Book book = new Book("x".repeat(length), length);
    Codec<List<List<Book>>> shelves = WireValues.listOf(Codec.record(SHELF::write, SHELF::read));
    List<List<Book>> value = List.of(List.of(book, book), List.of(), List.of(book));

    assertThat(WireValues.value(shelves, WireValues.bytes(shelves, value))).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "äöü", "日本語", "\ud83d\ude00", "\ud83d", "a\ude00b"})
  void textIsWrittenAsLuceneDoes(String text) throws Exception {
    ByteBuffersDataOutput expected = new ByteBuffersDataOutput();
    expected.writeString(text.repeat(50));

    assertThat(WireValues.bytes(WireValues.STRING, text.repeat(50)))
        .isEqualTo(expected.toArrayCopy());
  }

  @Test
  void noLengthMakesMoreBeAllocatedThanThereIs() throws Exception {
    // given: lengths of two gigabytes in messages of ten bytes
    WireOutput out = new WireOutput();
    out.writeVInt(Integer.MAX_VALUE);
    out.writeBytes(new byte[5], 0, 5);
    byte[] bomb = out.toArray();

    assertThatThrownBy(() -> WireValues.value(WireValues.STRING, bomb))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> WireValues.value(SHELF, bomb)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> WireValues.readBytes(new WireInput(bomb)))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> new WireInput(bomb).readMapOfStrings())
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> new WireInput(bomb).begin()).isInstanceOf(EOFException.class);
  }

  @Test
  void aRecordCannotBeReadBeyondItsEnd() throws Exception {
    // given: a list of one book that says it is shorter than it is
    byte[] bytes = WireValues.bytes(SHELF, List.of(new Book("one", 1)));
    bytes[1]--;

    assertThatThrownBy(() -> WireValues.value(SHELF, bytes)).isInstanceOf(EOFException.class);
  }

  @Test
  void anUnknownKindOfErrorKeepsItsStatus() throws Exception {
    // given
    byte[] bytes =
        WireValues.bytes(RefusalCodec.INSTANCE, new Refusal(ErrorType.UNAVAILABLE_SHARDS, "later"));
    String renamed =
        new String(bytes, StandardCharsets.ISO_8859_1)
            .replace("UNAVAILABLE_SHARDS", "UNAVAILABLE_MOONES");
    // when
    Refusal there =
        WireValues.value(RefusalCodec.INSTANCE, renamed.getBytes(StandardCharsets.ISO_8859_1));
    // then
    assertThat(there.type().status()).isEqualTo(503);
    assertThat(there.reason()).isEqualTo("later");
  }

  /// A network of one node.
  private static final class Loop implements Network {
    private final Map<String, Handler> handlers = Collections.synchronizedMap(new TreeMap<>());

    @Override
    public void serve(String call, Handler handler) {
      handlers.put(call, handler);
    }

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline)
        throws IOException {
      Handler handler = handlers.get(call);
      if (handler == null) {
        throw Call.unsupported(call);
      }
      try {
        return handler.answer(request);
      } catch (Refusal | IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    Caller caller() {
      return (name, request, deadline) -> call("here", name, request, deadline);
    }
  }

  private static Call<Book, Book> call(int oldest, int newest) {
    // from version 2 on, pages are counted from 1
    Codec<Book> codec =
        Codec.record(
            (out, book) -> {
              out.writeString(book.title);
              out.writeVInt(out.version() >= 2 ? book.pages + 1 : book.pages);
            },
            in -> new Book(in.readString(), in.version() >= 2 ? in.readVInt() - 1 : in.readVInt()));
    return new Call<>(
        "test/read", new Call.Versions(oldest, newest), codec, codec, Duration.ofSeconds(1));
  }

  @Test
  void aNodeSpeaksTheVersionThatTheOtherKnows() throws Exception {
    // given: a node that answers version 1, and one that answers 1 and 2
    Loop older = new Loop();
    call(1, 1).serve(older, book -> book);
    Loop newer = new Loop();
    call(1, 2).serve(newer, book -> book);
    Book book = new Book("one", 7);
    // then: each pair understands each other
    assertThat(call(1, 2).ask(older.caller(), book)).isEqualTo(book);
    assertThat(call(1, 1).ask(newer.caller(), book)).isEqualTo(book);
    assertThat(call(1, 2).ask(newer.caller(), book)).isEqualTo(book);
  }

  @Test
  void whatTheOtherDoesNotKnowIsUnsupported() {
    Loop older = new Loop();
    call(1, 1).serve(older, book -> book);
    Loop none = new Loop();

    assertThatThrownBy(() -> call(2, 2).ask(older.caller(), new Book("", 0)))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(Call.isUnsupported(refusal)).isTrue());
    assertThatThrownBy(() -> call(1, 1).ask(none.caller(), new Book("", 0)))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(Call.isUnsupported(refusal)).isTrue());
  }
}
