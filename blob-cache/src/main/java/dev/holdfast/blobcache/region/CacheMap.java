package dev.holdfast.blobcache.region;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.world.ChecksummedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the files of the cache folder hold, written beside them so that a restarted process goes on
/// with them. Only a hint: a map that is damaged, newer or from before a crash of the machine is
/// ignored, and so is an entry whose file is gone. Blobs never change, so a page of a blob's key is
/// right for ever.
///
/// @param isSynced whether the pages were forced to the disk before
/// @param boot names the run of the machine: unforced pages outlive the process, not the machine
public record CacheMap(boolean isSynced, String boot, List<Entry> entries) {
  private static final Logger LOG = LoggerFactory.getLogger(CacheMap.class);
  private static final String FILE = "map";
  private static final String MAGIC = "HFcm";
  private static final int VERSION = 2;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /// @param file the number of the region's file
  /// @param filled the pages that are there
  public record Entry(long file, RegionKey key, int frequency, BitSet filled) {}

  public static final CacheMap NONE = new CacheMap(true, "", List.of());

  /// Empty where the machine does not say.
  public static String thisBoot() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException e) {
      LOG.debug("the machine does not name its run", e);
      return "";
    }
  }

  /// The map of the folder, or [#NONE] when there is none that can be trusted.
  public static CacheMap read(Path folder, String boot) {
    Path file = folder.resolve(FILE);
    try {
      CacheMap map =
          parse(ChecksummedBytes.open(MAGIC, VERSION, Files.readAllBytes(file), file.toString()));
      if (map.isSynced || (!boot.isEmpty() && boot.equals(map.boot))) {
        return map;
      }
      LOG.info("the cache map is from before the machine's last start, the cache begins empty");
    } catch (NoSuchFileException e) {
      LOG.debug("no cache map", e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("the cache map is damaged, the cache begins empty [file={}]", file, e);
    }
    return NONE;
  }

  /// Of the pages that are there.
  public long bytes() {
    return entries.stream().mapToLong(entry -> entry.filled.cardinality()).sum()
        * BlobInputs.PAGE_BYTES;
  }

  private static CacheMap parse(byte[] payload) throws IOException {
    ByteArrayDataInput in = new ByteArrayDataInput(payload);
    boolean isSynced = in.readByte() == 1;
    String boot = in.readString();
    int count = in.readVInt();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long file = in.readVLong();
      RegionKey key = new RegionKey(in.readString(), in.readVLong());
      int frequency = in.readVInt();
      BitSet filled = new BitSet(Region.PAGES);
      int at = 0;
      for (int runs = in.readVInt(); runs > 0; runs--) {
        int from = at + in.readVInt();
        at = from + in.readVInt();
        if (at > Region.PAGES) {
          throw new IOException("pages beyond their region [" + key + "]");
        }
        filled.set(from, at);
      }
      entries.add(new Entry(file, key, frequency, filled));
    }
    return new CacheMap(isSynced, boot, List.copyOf(entries));
  }

  /// Replaces the map of the folder.
  public void write(Path folder) throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    out.writeByte((byte) (isSynced ? 1 : 0));
    out.writeString(boot);
    out.writeVInt(entries.size());
    for (Entry entry : entries) {
      out.writeVLong(entry.file);
      out.writeString(entry.key.blobKey());
      out.writeVLong(entry.key.number());
      out.writeVInt(entry.frequency);
      writeRuns(out, entry.filled);
    }
    Path next = folder.resolve(FILE + ".next");
    Files.write(next, ChecksummedBytes.seal(MAGIC, VERSION, out.toArrayCopy()));
    var _ =
        Files.move(
            next,
            folder.resolve(FILE),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
  }

  /// Filled pages as runs: the distance from the end of the one before, and the length.
  private static void writeRuns(ByteBuffersDataOutput out, BitSet filled) throws IOException {
    int runs = 0;
    for (int from = filled.nextSetBit(0); from >= 0; runs++) {
      from = filled.nextSetBit(filled.nextClearBit(from));
    }
    out.writeVInt(runs);
    int at = 0;
    for (int from = filled.nextSetBit(0); from >= 0; from = filled.nextSetBit(at)) {
      out.writeVInt(from - at);
      at = filled.nextClearBit(from);
      out.writeVInt(at - from);
    }
  }
}
