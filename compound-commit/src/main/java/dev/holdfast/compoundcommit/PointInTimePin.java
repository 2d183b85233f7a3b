package dev.holdfast.compoundcommit;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.CorruptObjectException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What the store knows of a point in time (§6.1): the commits that it shows, so that it outlives
/// the nodes that hold them open, and their blobs, so that nobody deletes them meanwhile. One
/// object, `pins/points-in-time/<id>`.
///
/// @param untilMillis wall time after which nobody may ask for it any more
/// @param commits in the order of the shards of the search
public record PointInTimePin(String id, long untilMillis, List<Pinned> commits) {
  /// Where all of them lie.
  public static final String FOLDER = "pins/points-in-time/";

  private static final String MAGIC = "HFPT";
  private static final int VERSION = 1;
  private static final int COMMITS_MAX = 100_000;

  /// One shard's commit.
  ///
  /// @param blobs that its files lie in; the last is the one that has the commit in its directory
  /// @param filter query of the alias that named the index, as JSON; empty for none
  public record Pinned(
      ShardId shard, long primaryTerm, long generation, SortedSet<BlobId> blobs, String filter) {}

  public PointInTimePin {
    commits = List.copyOf(commits);
  }

  /// The same, to be kept until another time.
  public PointInTimePin until(long millis) {
    return new PointInTimePin(id, millis, commits);
  }

  /// The commit of a shard.
  public Optional<Pinned> of(ShardId shard) {
    return commits.stream().filter(pinned -> pinned.shard.equals(shard)).findFirst();
  }

  /// Whether it is this shard's to care for the pin: one of them does it for all.
  public boolean isKeptBy(ShardId shard) {
    return !commits.isEmpty() && commits.getFirst().shard.equals(shard);
  }

  public static String key(String id) {
    return FOLDER + id;
  }

  /// The object's bytes.
  public byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(id);
      out.writeLong(untilMillis);
      out.writeInt(commits.size());
      for (Pinned pinned : commits) {
        write(out, pinned);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ChecksummedBytes.seal(MAGIC, VERSION, bytes.toByteArray());
  }

  private static void write(DataOutputStream out, Pinned pinned) throws IOException {
    out.writeUTF(pinned.shard.index().name());
    out.writeUTF(pinned.shard.index().uuid());
    out.writeInt(pinned.shard.number());
    out.writeLong(pinned.primaryTerm);
    out.writeLong(pinned.generation);
    out.writeInt(pinned.blobs.size());
    for (BlobId blob : pinned.blobs) {
      out.writeLong(blob.primaryTerm());
      out.writeLong(blob.generation());
    }
    byte[] filter = pinned.filter.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    out.writeInt(filter.length);
    out.write(filter);
  }

  /// @throws CorruptObjectException when the bytes are not what [#bytes] gave
  /// @throws dev.holdfast.world.NewerFormatException when a newer Holdfast wrote them
  public static PointInTimePin read(String key, byte[] bytes) throws IOException {
    byte[] payload = ChecksummedBytes.open(MAGIC, VERSION, bytes, key);
    PointInTimePin pin;
    try {
      pin = read(payload);
    } catch (IOException | RuntimeException e) {
      throw new CorruptObjectException(key, "a point in time that cannot be read", e);
    }
    if (!key(pin.id).equals(key)) {
      throw new CorruptObjectException(key, "it is a copy of the point in time [" + pin.id + "]");
    }
    return pin;
  }

  private static PointInTimePin read(byte[] payload) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
      String id = in.readUTF();
      long untilMillis = in.readLong();
      int count = in.readInt();
      if (count < 0 || count > COMMITS_MAX) {
        throw new IOException("too many commits [commits=" + count + "]");
      }
      List<Pinned> commits = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        commits.add(pinned(in));
      }
      return new PointInTimePin(id, untilMillis, commits);
    }
  }

  private static Pinned pinned(DataInputStream in) throws IOException {
    ShardId shard = new ShardId(new IndexId(in.readUTF(), in.readUTF()), in.readInt());
    long primaryTerm = in.readLong();
    long generation = in.readLong();
    SortedSet<BlobId> blobs = new TreeSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      blobs.add(new BlobId(in.readLong(), in.readLong()));
    }
    byte[] filter = in.readNBytes(in.readInt());
    return new Pinned(
        shard,
        primaryTerm,
        generation,
        blobs,
        new String(filter, java.nio.charset.StandardCharsets.UTF_8));
  }
}
