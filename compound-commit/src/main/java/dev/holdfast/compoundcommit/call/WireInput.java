package dev.holdfast.compoundcommit.call;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.DataInput;

/// A message while it is read. Inside a record it ends where the record does: a record of an older
/// build has fewer members, for which there are defaults ([#hasMore]), one of a newer build more,
/// which are skipped. No length in it makes anything larger than the message be allocated. Used by
/// one thread.
public final class WireInput extends DataInput {
  private final byte[] bytes;
  private final int version;
  private int position;
  private int limit;

  public WireInput(byte[] bytes) {
    this(bytes, 0, 1);
  }

  /// @param from where the message begins in `bytes`
  /// @param version of the call that it belongs to
  WireInput(byte[] bytes, int from, int version) {
    this.bytes = bytes;
    this.version = version;
    this.position = from;
    this.limit = bytes.length;
  }

  /// The version of the call that is spoken: who wrote this may have known no later one.
  public int version() {
    return version;
  }

  /// Goes into the record that begins here.
  ///
  /// @return what [#end] wants to know
  /// @throws IOException when the record does not lie inside of what is around it
  public int begin() throws IOException {
    int length = readLength();
    int outer = limit;
    limit = position + length;
    return outer;
  }

  /// Leaves the record, over members that were not read.
  public void end(int outer) {
    position = limit;
    limit = outer;
  }

  /// Whether the record has members that were not read: when it has none, it is of an older build
  /// and the next member has its default.
  public boolean hasMore() {
    return position < limit;
  }

  /// A length of something in the message.
  ///
  /// @throws IOException when there are fewer bytes
  public int readLength() throws IOException {
    int length = readVInt();
    if (length < 0 || length > limit - position) {
      throw new EOFException(
          "a message is cut off [wanted=" + length + ", left=" + (limit - position) + "]");
    }
    return length;
  }

  @Override
  public byte readByte() throws IOException {
    if (position >= limit) {
      throw new EOFException("a message is cut off [wanted=1, left=0]");
    }
    return bytes[position++];
  }

  @Override
  public void readBytes(byte[] to, int offset, int length) throws IOException {
    check(length);
    System.arraycopy(bytes, position, to, offset, length);
    position += length;
  }

  @Override
  public void skipBytes(long count) throws IOException {
    check(count);
    position += (int) count;
  }

  /// Asked before something is allocated that the message is to fill.
  ///
  /// @throws IOException when there are fewer bytes
  public void check(long length) throws IOException {
    if (length < 0 || length > limit - position) {
      throw new EOFException(
          "a message is cut off [wanted=" + length + ", left=" + (limit - position) + "]");
    }
  }

  @Override
  public String readString() throws IOException {
    int length = readLength();
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  @Override
  public Map<String, String> readMapOfStrings() throws IOException {
    int count = readLength();
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(readString(), readString());
    }
    return map;
  }

  @Override
  public Set<String> readSetOfStrings() throws IOException {
    int count = readLength();
    Set<String> set = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      set.add(readString());
    }
    return set;
  }
}
