package dev.holdfast.indexing.resend;

import dev.holdfast.indexing.resend.RecentWrites.OfNode;
import dev.holdfast.indexing.resend.RecentWrites.Write;
import dev.holdfast.translog.WriteOrigin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataOutput;

/// [RecentWrites] as text in a commit's user data: a recovery does not read the log that far back.
///
/// ```
/// version, nodes: [ node (8 bytes), oldest, writes: [ number, runs: [ ordinal, count, seq_no,
/// primary_term, outcomes ] ] ]
/// ```
public final class SavedWrites {
  /// The member of the user data.
  public static final String MEMBER = "recent_writes";

  /// More would make commits dear; the oldest writes are left out and can't be sent again to a
  /// later owner.
  static final int BYTES_MAX = 64 << 10;

  private static final int VERSION = 1;

  private SavedWrites() {}

  @FunctionalInterface
  interface Taking {
    /// @param runs empty: nothing but which writes of the node are too old
    void take(WriteOrigin origin, List<RecentRun> runs);
  }

  static String write(Map<Long, OfNode> nodes, long maxSeqNo) {
    try {
      ByteBuffersDataOutput out = new ByteBuffersDataOutput();
      out.writeVInt(VERSION);
      out.writeVInt(nodes.size());
      for (Map.Entry<Long, OfNode> node : nodes.entrySet()) {
        out.writeLong(node.getKey());
        writeNode(out, node.getValue(), maxSeqNo, BYTES_MAX / nodes.size());
      }
      return Base64.getEncoder().withoutPadding().encodeToString(out.toArrayCopy());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  private static void writeNode(DataOutput out, OfNode node, long maxSeqNo, int bytesMax)
      throws IOException {
    List<ByteBuffersDataOutput> writes = new ArrayList<>();
    long oldest = node.oldest;
    long bytes = 0;
    for (Map.Entry<Long, Write> write : node.byNumber.descendingMap().entrySet()) {
      List<RecentRun> runs =
          write.getValue().runs().stream().filter(run -> run.seqNo() <= maxSeqNo).toList();
      if (!runs.isEmpty()) {
        ByteBuffersDataOutput one = new ByteBuffersDataOutput();
        one.writeVLong(write.getKey());
        writeRuns(one, runs);
        bytes += one.size();
        if (bytes > bytesMax) {
          oldest = write.getKey() + 1;
          break;
        }
        writes.add(one);
      }
    }
    out.writeVLong(oldest);
    out.writeVInt(writes.size());
    for (ByteBuffersDataOutput one : writes) {
      one.copyTo(out);
    }
  }

  private static void writeRuns(DataOutput out, List<RecentRun> runs) throws IOException {
    out.writeVInt(runs.size());
    for (RecentRun run : runs) {
      out.writeVInt(run.ordinal());
      out.writeVInt(run.count());
      out.writeVLong(run.seqNo());
      out.writeVLong(run.primaryTerm());
      byte[] outcomes = run.outcomes();
      out.writeVInt(outcomes == null ? 0 : outcomes.length);
      if (outcomes != null) {
        out.writeBytes(outcomes, outcomes.length);
      }
    }
  }

  static void read(String saved, Taking taking) {
    ByteArrayDataInput in = new ByteArrayDataInput(Base64.getDecoder().decode(saved));
    int version = in.readVInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "recent writes of unknown version [version=" + version + "]");
    }
    int nodes = in.readVInt();
    for (int i = 0; i < nodes; i++) {
      long node = in.readLong();
      long oldest = in.readVLong();
      taking.take(new WriteOrigin(node, oldest, oldest), List.of());
      int writes = in.readVInt();
      for (int j = 0; j < writes; j++) {
        taking.take(new WriteOrigin(node, in.readVLong(), oldest), readRuns(in));
      }
    }
  }

  private static List<RecentRun> readRuns(ByteArrayDataInput in) {
    int count = in.readVInt();
    List<RecentRun> runs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int ordinal = in.readVInt();
      int operations = in.readVInt();
      long seqNo = in.readVLong();
      long primaryTerm = in.readVLong();
      int length = in.readVInt();
      byte[] outcomes = length == 0 ? null : new byte[length];
      if (outcomes != null) {
        in.readBytes(outcomes, 0, length);
      }
      runs.add(new RecentRun(ordinal, operations, seqNo, primaryTerm, outcomes));
    }
    return runs;
  }
}
