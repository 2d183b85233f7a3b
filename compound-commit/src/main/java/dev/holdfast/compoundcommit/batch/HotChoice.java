package dev.holdfast.compoundcommit.batch;

import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.IndexInput;

/// Chooses what goes into a blob's hot region: what Lucene touches while it opens a reader, and
/// what tells a search where its bytes are (indexes of terms and of stored fields). First head and
/// footer of every file, then small metadata files whole; of the newest commit before others, and
/// smaller before larger.
final class HotChoice {
  private static final int HEAD_BYTES = 256;

  /// A footer, and the small directory that some formats have before it.
  private static final int FOOTER_BYTES = 128;

  private static final int WHOLE_BYTES_MAX = 512 << 10;

  /// However small the blob is.
  private static final int TARGET_BYTES_MIN = 256 << 10;

  /// However large the blob is: it is held on the heap.
  private static final int TARGET_BYTES_MAX = 2 << 20;

  /// A hot region is that part of its blob at most, within these bounds.
  private static final int TARGET_SHARE = 32;

  /// Heads and footers of all files, should they be very many.
  private static final int BYTES_MAX = 4 << 20;

  /// Two ranges nearer than this become one.
  private static final int GAP_BYTES = 64;

  private static final Set<String> METADATA =
      Set.of(
          "si", "fnm", "cfe", "liv", "tip", "tmd", "psm", "kdm", "kdi", "dvm", "hdm", "hom", "nvm",
          "fdm", "fdx", "tvm", "vem", "vemf", "vemq");

  /// A Lucene file: one of the batch, or one within a compound file of the batch.
  private record Piece(String name, long start, long length, boolean isNewest) {
    boolean isMetadata() {
      return name.startsWith(IndexFileNames.SEGMENTS)
          || METADATA.contains(String.valueOf(IndexFileNames.getExtension(name)));
    }
  }

  /// Disjoint ranges by start; the value is the end.
  private final NavigableMap<Long, Long> ranges = new TreeMap<>();

  private long bytes;

  private HotChoice() {}

  /// @param newest the files of the newest commit
  /// @param pages reads the files, checked
  static HotRegion of(
      Collection<BatchedFile> files,
      SortedSet<String> newest,
      BatchPages pages,
      PageChecksums checksums)
      throws IOException {
    List<Piece> pieces = new ArrayList<>();
    Map<String, BatchedFile> byName = new TreeMap<>();
    files.forEach(file -> byName.put(file.name(), file));
    for (BatchedFile file : files) {
      boolean isNewest = newest.contains(file.name());
      pieces.add(new Piece(file.name(), file.start(), file.length(), isNewest));
      if (file.name().endsWith(".cfe")) {
        BatchedFile data = byName.get(file.name().replace(".cfe", ".cfs"));
        if (data != null) {
          pieces.addAll(inner(file, data, isNewest));
        }
      }
    }
    pieces.sort(
        Comparator.comparing((Piece piece) -> !piece.isNewest).thenComparingLong(Piece::length));
    HotChoice choice = new HotChoice();
    for (Piece piece : pieces) {
      long end = piece.start + piece.length;
      choice.add(piece.start, Math.min(end, piece.start + HEAD_BYTES), BYTES_MAX);
      choice.add(Math.max(piece.start, end - FOOTER_BYTES), end, BYTES_MAX);
    }
    long blobBytes = files.stream().mapToLong(BatchedFile::length).sum();
    long target = Math.clamp(blobBytes / TARGET_SHARE, TARGET_BYTES_MIN, TARGET_BYTES_MAX);
    for (Piece piece : pieces) {
      if (piece.isMetadata() && piece.length <= WHOLE_BYTES_MAX) {
        choice.add(piece.start, piece.start + piece.length, target);
      }
    }
    return choice.read(pages, checksums);
  }

  /// The files within a compound file, by its table of entries. The table is Lucene's own format; a
  /// codec that writes another only makes the hot region poorer.
  private static List<Piece> inner(BatchedFile entries, BatchedFile data, boolean isNewest)
      throws IOException {
    List<Piece> inner = new ArrayList<>();
    try {
      IndexInput in = entries.bytes().clone();
      in.seek(0);
      CodecUtil.checkHeader(in, "Lucene90CompoundEntries", 0, 0);
      in.skipBytes(16); // the segment's id
      in.skipBytes(in.readByte() & 0xff); // the suffix
      int count = in.readVInt();
      for (int i = 0; i < count; i++) {
        String name = in.readString();
        inner.add(new Piece(name, data.start() + in.readLong(), in.readLong(), isNewest));
      }
    } catch (CorruptIndexException
        | org.apache.lucene.index.IndexFormatTooNewException
        | org.apache.lucene.index.IndexFormatTooOldException e) {
      return List.of();
    }
    return inner;
  }

  /// Adds a range, if all ranges then stay within `bytesMax`.
  private void add(long start, long end, long bytesMax) {
    if (end <= start) {
      return;
    }
    Map.Entry<Long, Long> at = ranges.floorEntry(start);
    if (at != null && at.getValue() >= end) {
      return;
    }
    long from = at != null && at.getValue() + GAP_BYTES >= start ? at.getKey() : start;
    long to = end;
    long absorbed = 0;
    NavigableMap<Long, Long> touched = ranges.subMap(from, true, end + GAP_BYTES, true);
    for (Map.Entry<Long, Long> range : touched.entrySet()) {
      to = Math.max(to, range.getValue());
      absorbed += range.getValue() - range.getKey();
    }
    if (bytes - absorbed + to - from <= bytesMax) {
      touched.clear();
      ranges.put(from, to);
      bytes += to - from - absorbed;
    }
  }

  private HotRegion read(BatchPages pages, PageChecksums checksums) throws IOException {
    List<HotRegion.Range> read = new ArrayList<>();
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      int length = Math.toIntExact(range.getValue() - range.getKey());
      read.add(new HotRegion.Range(range.getKey(), pages.read(range.getKey(), length)));
    }
    return new HotRegion(read, checksums);
  }
}
