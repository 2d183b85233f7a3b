package dev.holdfast.compoundcommit.blob;

import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;

/// The hot region's bytes: the number of ranges, for each the distance of its offset from the end
/// of the one before and its length, then the bytes of all, in order.
public final class HotRanges {
  private HotRanges() {}

  public static byte[] write(HotRegion hot) throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    out.writeVInt(hot.ranges().size());
    long end = 0;
    for (HotRegion.Range range : hot.ranges()) {
      out.writeVLong(range.offset() - end);
      out.writeVInt(range.bytes().length);
      end = range.offset() + range.bytes().length;
    }
    for (HotRegion.Range range : hot.ranges()) {
      out.writeBytes(range.bytes(), range.bytes().length);
    }
    return out.toArrayCopy();
  }

  static HotRegion read(String blob, byte[] raw, PageChecksums checksums)
      throws CorruptObjectException {
    try {
      ByteArrayDataInput in = new ByteArrayDataInput(raw);
      int count = in.readVInt();
      long[] offsets = new long[count];
      int[] lengths = new int[count];
      long end = 0;
      for (int i = 0; i < count; i++) {
        offsets[i] = end + in.readVLong();
        lengths[i] = in.readVInt();
        end = offsets[i] + lengths[i];
      }
      List<HotRegion.Range> ranges = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] bytes = new byte[lengths[i]];
        in.readBytes(bytes, 0, bytes.length);
        ranges.add(new HotRegion.Range(offsets[i], bytes));
      }
      return new HotRegion(ranges, checksums);
    } catch (RuntimeException e) {
      throw new CorruptObjectException(blob, "hot region cannot be read", e);
    }
  }
}
