package dev.holdfast.compoundcommit.blob;

import dev.holdfast.clusterstate.json.CarriedHome;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// The table of contents of a blob: every commit in it, with the place of each of its files (§4).
///
/// Layout, in Lucene's variable-length numbers and strings: the blob's own term and generation; the
/// number of blobs referred to and the term and generation of each; the number of commits, and for
/// each: term, generation, segments file, translog node and ordinal, greatest sequence number
/// (zigzag), documents, creation time, number of files, and for each: name, number of its blob,
/// offset, length; then the length of what the blob carries of its index, and that.
///
/// @param commits oldest first
/// @param carried of the index, for who has lost the cluster state; empty for nothing
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record CommitDirectory(BlobId blob, List<CompoundCommit> commits, byte[] carried) {
  public byte[] write() throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    writeId(out, blob);
    SortedMap<BlobId, Integer> numbers = new TreeMap<>();
    for (CompoundCommit commit : commits) {
      commit.blobs().forEach(id -> numbers.put(id, 0));
    }
    out.writeVInt(numbers.size());
    int number = 0;
    for (Map.Entry<BlobId, Integer> entry : numbers.entrySet()) {
      writeId(out, entry.getKey());
      entry.setValue(number++);
    }
    out.writeVInt(commits.size());
    for (CompoundCommit commit : commits) {
      writeCommit(out, commit, numbers);
    }
    out.writeVInt(carried.length);
    out.writeBytes(carried);
    return out.toArrayCopy();
  }

  /// A blob that was copied to the name of another one is whole, and yet not what was written
  /// there.
  ///
  /// @param key that the blob was read under: of a shard's own, not of an inherited one
  /// @throws CorruptObjectException when it was written under another
  public void requireIsOf(String key) throws CorruptObjectException {
    if (!key.endsWith(blob.name())) {
      throw new CorruptObjectException(key, "directory of another blob " + blob);
    }
    String[] parts = key.split("/", -1);
    CarriedHome home = CarriedHome.of(carried);
    if (!home.mayBe(parts[parts.length - 4], parts[parts.length - 3])) {
      throw new CorruptObjectException(
          key,
          "blob of another shard [index_uuid="
              + home.indexUuid()
              + ", shard="
              + home.shard()
              + "]");
    }
  }

  static CommitDirectory read(String name, byte[] raw) throws CorruptObjectException {
    try {
      ByteArrayDataInput in = new ByteArrayDataInput(raw);
      BlobId blob = readId(in);
      int blobCount = in.readVInt();
      List<BlobId> blobs = new ArrayList<>();
      for (int i = 0; i < blobCount; i++) {
        blobs.add(readId(in));
      }
      int commitCount = in.readVInt();
      List<CompoundCommit> commits = new ArrayList<>();
      for (int i = 0; i < commitCount; i++) {
        commits.add(readCommit(in, blobs));
      }
      byte[] carried = new byte[in.eof() ? 0 : length(in)];
      in.readBytes(carried, 0, carried.length);
      if (commits.isEmpty() || !in.eof()) {
        throw new CorruptObjectException(
            name, "directory without a commit, or with too many bytes");
      }
      return new CommitDirectory(blob, commits, carried);
    } catch (RuntimeException | IOException e) {
      throw e instanceof CorruptObjectException corrupt
          ? corrupt
          : new CorruptObjectException(name, "directory cannot be read", e);
    }
  }

  private static int length(ByteArrayDataInput in) throws IOException {
    int length = in.readVInt();
    if (length < 0 || length > in.length() - in.getPosition()) {
      throw new IOException("length of what is carried " + length);
    }
    return length;
  }

  private static void writeId(ByteBuffersDataOutput out, BlobId id) throws IOException {
    out.writeVLong(id.primaryTerm());
    out.writeVLong(id.generation());
  }

  private static BlobId readId(ByteArrayDataInput in) throws IOException {
    return new BlobId(in.readVLong(), in.readVLong());
  }

  static void writeCommit(DataOutput out, CompoundCommit commit, SortedMap<BlobId, Integer> numbers)
      throws IOException {
    out.writeVLong(commit.primaryTerm());
    out.writeVLong(commit.generation());
    out.writeString(commit.segmentsFile());
    out.writeString(commit.translog().nodeEphemeralId());
    out.writeVLong(commit.translog().ordinal());
    out.writeZLong(commit.maxSeqNo());
    out.writeVLong(commit.documents());
    out.writeVLong(commit.createdMillis());
    out.writeVInt(commit.files().size());
    for (Map.Entry<String, FileLocation> file : commit.files().entrySet()) {
      FileLocation location = file.getValue();
      out.writeString(file.getKey());
      out.writeVInt(numbers.getOrDefault(location.blob(), -1));
      out.writeVLong(location.offset());
      out.writeVLong(location.length());
    }
  }

  static CompoundCommit readCommit(DataInput in, List<BlobId> blobs) throws IOException {
    long primaryTerm = in.readVLong();
    long generation = in.readVLong();
    String segmentsFile = in.readString();
    TranslogPosition translog = new TranslogPosition(in.readString(), in.readVLong());
    long maxSeqNo = in.readZLong();
    long documents = in.readVLong();
    long createdMillis = in.readVLong();
    int fileCount = in.readVInt();
    SortedMap<String, FileLocation> files = new TreeMap<>();
    for (int i = 0; i < fileCount; i++) {
      String name = in.readString();
      files.put(name, new FileLocation(blobs.get(in.readVInt()), in.readVLong(), in.readVLong()));
    }
    return new CompoundCommit(
        primaryTerm, generation, segmentsFile, translog, maxSeqNo, documents, createdMillis, files);
  }
}
