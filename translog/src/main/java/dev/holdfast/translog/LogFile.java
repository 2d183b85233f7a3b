package dev.holdfast.translog;

import com.github.luben.zstd.Zstd;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The bytes of a compound translog file (§5), `log/<node-ephemeral-id>/<ordinal>`:
///
/// ```
/// head (20 bytes) | directory | frame of a shard, ... | directory again | trailer (32 bytes)
/// ```
///
/// A frame is zstd, or as it is when its two lengths in the directory are equal. The directory lies
/// at the end, so that one suffix GET tells which shards have operations in the file and where; a
/// recovering shard then reads its own frame only. It lies at the beginning too, so that damage to
/// one of them keeps no shard from its frame. It also says up to which file the log was durable
/// when this file was sealed: those files must be there, or their deletion is known to the cluster
/// state. And it says which shards had operations in the file before: others need not mind when
/// that one is lost. A *fence* is a file without frames and with its own magic: it takes the name
/// that the evicted node would have used next.
final class LogFile {
  static final int TRAILER_BYTES = 32;

  private static final int HEAD_BYTES = 20;

  /// A fence is never longer: its trailer and a node id. A file with operations always is.
  static final int FENCE_BYTES_MAX = 64;

  private static final long MAGIC_LOG = 0x48464c4f47303031L; // HFLOG001
  private static final long MAGIC_FENCE = 0x484646454e434531L; // HFFENCE1
  private static final long MAGIC_HEAD = 0x48464c4f47484431L; // HFLOGHD1

  /// 2: operations say which write they are part of. 3: a head, and a directory that says what is
  /// known of other files. Older files are read as they are. Behind all else the directory says the
  /// file's key, which those of builds before 28 November 2026 do not.
  private static final int VERSION = 3;

  private static final int VERSION_WITHOUT_HEAD_MAX = 2;

  private static final int ZSTD_LEVEL = 1;

  private static final Pattern KEY = Pattern.compile("log/[^/]+/[0-7][0-9a-f]{15}");

  private LogFile() {}

  static String folder(String nodeEphemeralId) {
    return "log/" + nodeEphemeralId + "/";
  }

  static String key(String nodeEphemeralId, long ordinal) {
    return String.format(Locale.ROOT, "%s%016x", folder(nodeEphemeralId), ordinal);
  }

  /// Whether an object has the name of a file or a fence. Others lie there because a person, or a
  /// tool that shows a bucket as folders, put them there; they are no part of a log.
  static boolean isKey(String key) {
    return KEY.matcher(key).matches();
  }

  static long ordinal(String key) {
    return Long.parseLong(key.substring(key.lastIndexOf('/') + 1), 16);
  }

  /// Operations of one shard in one file, before they are written.
  static final class Frame {
    final ShardId shard;
    final long primaryTerm;
    final PagedBytes bytes = new PagedBytes();
    private final OperationCodec.Writer writer = new OperationCodec.Writer(bytes);
    int operations;
    long minSeqNo = Long.MAX_VALUE;
    long maxSeqNo = -1;

    Frame(ShardId shard, long primaryTerm) {
      this.shard = shard;
      this.primaryTerm = primaryTerm;
    }

    void requireTerm(long term) {
      Promise.keep(
          primaryTerm == term,
          "one owner's operations of a shard lie in one file",
          "shard",
          shard,
          "term",
          term,
          "of_file",
          primaryTerm);
    }

    void add(Operation operation) {
      writer.write(operation);
      operations++;
      minSeqNo = Math.min(minSeqNo, operation.seqNo());
      maxSeqNo = Math.max(maxSeqNo, operation.seqNo());
    }
  }

  /// One line of the directory: where a shard's operations lie and what they are.
  ///
  /// @param offset in the file
  /// @param length bytes in the file, compressed
  /// @param rawLength bytes when decompressed
  record Entry(
      ShardId shard,
      long primaryTerm,
      int operations,
      long minSeqNo,
      long maxSeqNo,
      long offset,
      int length,
      int rawLength,
      int checksum) {}

  /// A file of these frames; uncompressed, it is made of views onto them.
  ///
  /// @param key where it will lie
  /// @param durable the last ordinal up to which all files are in the store; -1 for none
  /// @param before shards with operations in the file before
  static ObjectBody write(
      String key, List<Frame> frames, boolean compresses, long durable, List<ShardId> before) {
    List<ByteBuffer> parts = new ArrayList<>();
    List<Entry> entries = new ArrayList<>(frames.size());
    long offset = 0;
    for (Frame frame : frames) {
      int rawLength = frame.bytes.length();
      List<ByteBuffer> stored =
          compresses ? List.of(compressed(frame.bytes.toArray())) : frame.bytes.views();
      int length = stored.stream().mapToInt(ByteBuffer::remaining).sum();
      entries.add(
          new Entry(
              frame.shard,
              frame.primaryTerm,
              frame.operations,
              frame.minSeqNo,
              frame.maxSeqNo,
              offset,
              length,
              rawLength,
              checksum(stored)));
      parts.addAll(stored);
      offset += length;
    }
    PagedBytes tail = new PagedBytes();
    LogDirectory.write(tail, entries, durable, before, key);
    byte[] directory = tail.toArray();
    writeTrailer(tail, MAGIC_LOG, HEAD_BYTES + directory.length + offset);
    List<ByteBuffer> all = new ArrayList<>(parts.size() + 3);
    all.add(headOf(directory));
    all.add(ByteBuffer.wrap(directory));
    all.addAll(parts);
    all.addAll(tail.views());
    return ObjectBody.of(all);
  }

  private static ByteBuffer headOf(byte[] directory) {
    return ByteBuffer.allocate(HEAD_BYTES)
        .putLong(MAGIC_HEAD)
        .putInt(VERSION)
        .putInt(directory.length)
        .putInt(checksum(directory, 0, directory.length))
        .flip();
  }

  /// The bytes as one zstd frame, or as they are when that is no longer.
  private static ByteBuffer compressed(byte[] raw) {
    byte[] compressed = new byte[(int) Zstd.compressBound(raw.length)];
    long length =
        Zstd.compressByteArray(compressed, 0, compressed.length, raw, 0, raw.length, ZSTD_LEVEL);
    if (Zstd.isError(length)) {
      throw new IllegalStateException("zstd: " + Zstd.getErrorName(length));
    }
    return length < raw.length
        ? ByteBuffer.wrap(compressed, 0, (int) length)
        : ByteBuffer.wrap(raw);
  }

  /// A fence, naming who put it there, for people.
  static byte[] fence(String by) {
    PagedBytes out = new PagedBytes();
    out.writeString(by);
    writeTrailer(out, MAGIC_FENCE, 0);
    return out.toArray();
  }

  /// Completes what holds the directory and nothing else.
  private static void writeTrailer(PagedBytes out, long magic, long directoryOffset) {
    int directoryLength = out.length();
    int checksum = checksum(out.views());
    byte[] trailer =
        ByteBuffer.allocate(TRAILER_BYTES)
            .putLong(magic)
            .putInt(VERSION)
            .putLong(directoryOffset)
            .putInt(directoryLength)
            .putInt(checksum)
            .array();
    ByteBuffer.wrap(trailer).putInt(TRAILER_BYTES - 4, checksum(trailer, 0, TRAILER_BYTES - 4));
    out.writeBytes(trailer, 0, TRAILER_BYTES);
  }

  /// What the end of a file says.
  sealed interface Tail {
    record Fence() implements Tail {}

    /// Which shards have operations in the file.
    ///
    /// @param durable the last ordinal up to which all files were in the store when this one was
    ///   sealed; -1 for none
    /// @param before names of the shards with operations in the file before; null when it does not
    ///   say
    /// @param key under which the file was written; null when it does not say
    record Directory(
        List<Entry> entries, long durable, @Nullable Set<String> before, @Nullable String key)
        implements Tail {
      /// A file that was copied to the name of another one is whole, and yet not what was written
      /// there.
      Directory requireIsOf(String wanted) throws IOException {
        if (key != null && !key.equals(wanted)) {
          throw damaged(wanted, "a copy of [" + key + "]");
        }
        return this;
      }

      /// Whether the shard may have operations in the file before.
      boolean mayBeBefore(ShardId shard) {
        return before == null || before.contains(LogDirectory.name(shard));
      }
    }

    /// The suffix was too short: read this many bytes.
    record Longer(int suffixBytes) implements Tail {}
  }

  /// Reads a suffix of a file, checked.
  ///
  /// @param key for messages
  static Tail tail(byte[] suffix, long fileLength, String key) throws IOException {
    if (suffix.length < TRAILER_BYTES) {
      throw damaged(key, "shorter than its trailer");
    }
    ByteBuffer trailer = ByteBuffer.wrap(suffix, suffix.length - TRAILER_BYTES, TRAILER_BYTES);
    long magic = trailer.getLong();
    int version = trailer.getInt();
    long directoryOffset = trailer.getLong();
    int directoryLength = trailer.getInt();
    int directoryChecksum = trailer.getInt();
    if (magic != MAGIC_LOG && magic != MAGIC_FENCE) {
      throw damaged(key, "not a translog file");
    }
    if (ByteBuffer.wrap(suffix).getInt(suffix.length - 4)
        != checksum(suffix, suffix.length - TRAILER_BYTES, TRAILER_BYTES - 4)) {
      throw damaged(key, "trailer does not match its checksum");
    }
    if (version > VERSION) {
      throw new NewerFormatException(key, version, VERSION);
    }
    if (directoryOffset + directoryLength + TRAILER_BYTES != fileLength) {
      throw damaged(key, "cut off or too long");
    }
    int start = suffix.length - TRAILER_BYTES - directoryLength;
    if (start < 0) {
      return new Tail.Longer(directoryLength + TRAILER_BYTES);
    }
    if (checksum(suffix, start, directoryLength) != directoryChecksum) {
      throw damaged(key, "directory does not match its checksum");
    }
    return magic == MAGIC_FENCE
        ? new Tail.Fence()
        : LogDirectory.read(
                Arrays.copyOfRange(suffix, start, start + directoryLength),
                version > VERSION_WITHOUT_HEAD_MAX ? HEAD_BYTES : 0)
            .requireIsOf(key);
  }

  /// Reads the beginning of a file whose end is damaged.
  ///
  /// @return empty when it is damaged too; [Tail.Longer] when more of it must be read
  static Optional<Tail> head(byte[] prefix, long fileLength) {
    if (prefix.length < HEAD_BYTES) {
      return Optional.empty();
    }
    ByteBuffer head = ByteBuffer.wrap(prefix);
    boolean isHead = head.getLong() == MAGIC_HEAD && head.getInt() == VERSION;
    int length = head.getInt();
    int checksum = head.getInt();
    if (!isHead || length < 0 || length > fileLength - HEAD_BYTES - TRAILER_BYTES) {
      return Optional.empty();
    }
    if (length > prefix.length - HEAD_BYTES) {
      return Optional.of(new Tail.Longer(HEAD_BYTES + length));
    }
    return checksum(prefix, HEAD_BYTES, length) == checksum
        ? Optional.of(
            LogDirectory.read(
                Arrays.copyOfRange(prefix, HEAD_BYTES, HEAD_BYTES + length), HEAD_BYTES))
        : Optional.empty();
  }

  /// The operations of a frame, checked.
  static List<Operation> operations(Entry entry, byte[] frame, String key) throws IOException {
    if (frame.length != entry.length() || checksum(frame, 0, frame.length) != entry.checksum()) {
      throw damaged(key, "frame does not match its checksum");
    }
    byte[] raw = entry.length() == entry.rawLength() ? frame : decompressed(entry, frame, key);
    List<Operation> operations = new ArrayList<>(entry.operations());
    OperationCodec.Reader reader = new OperationCodec.Reader(raw);
    while (reader.hasNext()) {
      operations.add(reader.next());
    }
    return operations;
  }

  private static byte[] decompressed(Entry entry, byte[] frame, String key) throws IOException {
    byte[] raw = new byte[entry.rawLength()];
    long length = Zstd.decompressByteArray(raw, 0, raw.length, frame, 0, frame.length);
    if (Zstd.isError(length) || length != raw.length) {
      throw damaged(key, "frame does not decompress");
    }
    return raw;
  }

  private static int checksum(List<ByteBuffer> parts) {
    CRC32C crc = new CRC32C();
    parts.forEach(part -> crc.update(part.duplicate()));
    return (int) crc.getValue();
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static IOException damaged(String key, String how) {
    return new CorruptObjectException(key, "translog file: " + how);
  }
}
