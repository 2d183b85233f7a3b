package dev.holdfast.compoundcommit.blob;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// How a compound commit travels between nodes: as in a blob's directory, with its own list of
/// blobs.
public final class CommitCodec {
  private CommitCodec() {}

  public static void write(DataOutput out, CompoundCommit commit) throws IOException {
    SortedMap<BlobId, Integer> numbers = new TreeMap<>();
    for (BlobId blob : commit.blobs()) {
      numbers.put(blob, numbers.size());
    }
    out.writeVInt(numbers.size());
    for (BlobId blob : numbers.keySet()) {
      out.writeVLong(blob.primaryTerm());
      out.writeVLong(blob.generation());
    }
    CommitDirectory.writeCommit(out, commit, numbers);
  }

  public static CompoundCommit read(DataInput in) throws IOException {
    int count = in.readVInt();
    List<BlobId> blobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blobs.add(new BlobId(in.readVLong(), in.readVLong()));
    }
    return CommitDirectory.readCommit(in, blobs);
  }
}
