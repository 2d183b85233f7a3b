package dev.holdfast.compoundcommit.call;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.jspecify.annotations.Nullable;

/// The small words that messages are made of.
public final class WireValues {
  public static final Codec<String> STRING =
      Codec.word((out, text) -> out.writeString(text), WireInput::readString);

  public static final Codec<ShardId> SHARD =
      Codec.word(WireValues::writeShard, WireValues::readShard);

  /// An answer that says nothing but "done".
  public static final Codec<Done> DONE = Codec.record((out, done) -> {}, in -> Done.DONE);

  private WireValues() {}

  /// "Done".
  public enum Done {
    DONE
  }

  public static void writeShard(DataOutput out, ShardId shard) throws IOException {
    out.writeString(shard.index().name());
    out.writeString(shard.index().uuid());
    out.writeVInt(shard.number());
  }

  public static ShardId readShard(DataInput in) throws IOException {
    return new ShardId(new IndexId(in.readString(), in.readString()), in.readVInt());
  }

  public static void writeFlag(DataOutput out, boolean flag) throws IOException {
    out.writeByte((byte) (flag ? 1 : 0));
  }

  public static boolean readFlag(DataInput in) throws IOException {
    return in.readByte() != 0;
  }

  public static void writeText(DataOutput out, @Nullable String text) throws IOException {
    writeFlag(out, text != null);
    if (text != null) {
      out.writeString(text);
    }
  }

  public static @Nullable String readText(DataInput in) throws IOException {
    return readFlag(in) ? in.readString() : null;
  }

  public static void writeBytes(DataOutput out, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      out.writeVInt(0);
    } else {
      writeBytes(out, bytes, 0, bytes.length);
    }
  }

  public static void writeBytes(DataOutput out, byte[] bytes, int offset, int length)
      throws IOException {
    out.writeVInt(length + 1);
    out.writeBytes(bytes, offset, length);
  }

  /// @throws IOException when there are fewer bytes: they are not allocated
  public static byte @Nullable [] readBytes(WireInput in) throws IOException {
    int length = in.readVInt() - 1;
    if (length == -1) {
      return null;
    }
    in.check(length);
    byte[] bytes = new byte[length];
    in.readBytes(bytes, 0, length);
    return bytes;
  }

  public static <T> void writeList(WireOutput out, Codec<T> codec, Collection<T> values)
      throws IOException {
    out.writeVInt(values.size());
    for (T value : values) {
      codec.write(out, value);
    }
  }

  public static <T> List<T> readList(WireInput in, Codec<T> codec) throws IOException {
    int size = in.readLength();
    List<T> values = new ArrayList<>(Math.min(size, 1024));
    for (int i = 0; i < size; i++) {
      values.add(codec.read(in));
    }
    return values;
  }

  /// A list of what `codec` writes.
  public static <T> Codec<List<T>> listOf(Codec<T> codec) {
    return Codec.word((out, list) -> writeList(out, codec, list), in -> readList(in, codec));
  }

  public static <T> byte[] bytes(Codec<T> codec, T value) throws IOException {
    WireOutput out = new WireOutput();
    codec.writeWhole(out, value);
    return out.toArray();
  }

  public static <T> T value(Codec<T> codec, byte[] bytes) throws IOException {
    return codec.readWhole(new WireInput(bytes));
  }
}
