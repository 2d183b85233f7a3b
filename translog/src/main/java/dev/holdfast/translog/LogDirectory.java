package dev.holdfast.translog;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.translog.LogFile.Entry;
import dev.holdfast.translog.LogFile.Tail;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The directory of a translog file as bytes: which shards have operations in it, where, and what
/// is known of other files.
final class LogDirectory {
  private LogDirectory() {}

  /// Offsets count from the first frame, so that the directory is the same at both ends.
  static void write(
      PagedBytes out, List<Entry> entries, long durable, List<ShardId> before, String key) {
    out.writeVLong(durable + 1);
    out.writeVLong(before.size());
    for (ShardId shard : before) {
      out.writeString(name(shard));
    }
    out.writeVLong(entries.size());
    for (Entry e : entries) {
      out.writeString(e.shard().index().uuid());
      out.writeString(e.shard().index().name());
      out.writeVLong(e.shard().number());
      out.writeVLong(e.primaryTerm());
      out.writeVLong(e.operations());
      out.writeVLong(e.minSeqNo());
      out.writeVLong(e.maxSeqNo());
      out.writeVLong(e.offset());
      out.writeVLong(e.length());
      out.writeVLong(e.rawLength());
      out.writeInt(e.checksum());
    }
    out.writeString(key);
  }

  /// @param headBytes before the directory at the beginning of the file; 0 in files of versions
  ///   that had none, and said nothing of other files
  static Tail.Directory read(byte[] bytes, int headBytes) {
    Reader in = new Reader(bytes);
    boolean hasHead = headBytes > 0;
    long durable = hasHead ? in.readVLong() - 1 : -1;
    long framesFrom = hasHead ? headBytes + bytes.length : 0;
    Set<String> before = hasHead ? readBefore(in) : null;
    int count = (int) in.readVLong();
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String uuid = in.readString();
      String name = in.readString();
      ShardId shard = new ShardId(new IndexId(name, uuid), (int) in.readVLong());
      entries.add(
          new Entry(
              shard,
              in.readVLong(),
              (int) in.readVLong(),
              in.readVLong(),
              in.readVLong(),
              framesFrom + in.readVLong(),
              (int) in.readVLong(),
              (int) in.readVLong(),
              in.readInt()));
    }
    String key = in.hasMore() ? in.readString() : null;
    return new Tail.Directory(entries, durable, before, key);
  }

  private static Set<String> readBefore(Reader in) {
    int count = (int) in.readVLong();
    Set<String> before = new HashSet<>();
    for (int i = 0; i < count; i++) {
      before.add(in.readString());
    }
    return before;
  }

  /// A shard as directories name it.
  static String name(ShardId shard) {
    return shard.index().uuid() + "/" + shard.number();
  }

  private static final class Reader {
    private final ByteBuffer in;

    Reader(byte[] bytes) {
      in = ByteBuffer.wrap(bytes);
    }

    boolean hasMore() {
      return in.hasRemaining();
    }

    long readVLong() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte b = in.get();
        value |= (long) (b & 0x7f) << shift;
        if (b >= 0) {
          return value;
        }
      }
    }

    int readInt() {
      return in.getInt();
    }

    String readString() {
      byte[] utf8 = new byte[(int) readVLong()];
      in.get(utf8);
      return new String(utf8, StandardCharsets.UTF_8);
    }
  }
}
