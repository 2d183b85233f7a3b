package dev.holdfast.compoundcommit.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.TranslogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VirtualBatchTest {
  /// What is read at once of a file that is mapped; of others less.
  private static final int LARGE = 10_000;

  @TempDir Path folder;

  /// Large reads until one fails; none fails when it is not positive.
  private final AtomicInteger readsLeft = new AtomicInteger();

  /// A file whose mapping goes.
  private static final class Mapped extends IndexInput {
    private final byte[] bytes;
    private final AtomicInteger readsLeft;
    private int position;

    Mapped(String name, byte[] bytes, AtomicInteger readsLeft) {
      super(name);
      this.bytes = bytes;
      this.readsLeft = readsLeft;
    }

    @Override
    public void close() {}

    @Override
    public long getFilePointer() {
      return position;
    }

    @Override
    public void seek(long to) {
      position = (int) to;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public IndexInput slice(String name, long offset, long length) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public byte readByte() {
      return bytes[position++];
    }

    @Override
    public void readBytes(byte[] into, int offset, int length) {
      if (length >= LARGE && readsLeft.getAndDecrement() == 1) {
        throw new InternalError("a fault occurred in an unsafe memory access operation");
      }
      System.arraycopy(bytes, position, into, offset, length);
      position += length;
    }
  }

  /// Bytes as Lucene writes them: with a footer.
  private static byte[] file(int length, int fill) throws IOException {
    byte[] body = new byte[length];
    Arrays.fill(body, (byte) fill);
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("file", IOContext.DEFAULT)) {
        out.writeBytes(body, body.length);
        CodecUtil.writeFooter(out);
      }
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        byte[] whole = new byte[(int) in.length()];
        in.readBytes(whole, 0, whole.length);
        return whole;
      }
    }
  }

  private NewCommit commit(Map<String, byte[]> files) {
    return new NewCommit(
        1,
        1,
        "segments_1",
        new TranslogPosition("node", 0),
        0,
        1,
        0,
        files.keySet(),
        Map.of(),
        name -> new Mapped(name, Objects.requireNonNull(files.get(name)), readsLeft));
  }

  /// The footers have been read, the files are in the batch, and its checksums are being made.
  @Test
  void whatAnErrorLeftHalfAppendedIsInNothingThatIsAppendedLater() throws Exception {
    Map<String, byte[]> files = new TreeMap<>();
    files.put("_0.dat", file(2 * LARGE, 1));
    files.put("segments_1", file(100, 2));
    VirtualBatch batch = new VirtualBatch(TestCommitShard.SHARD, new BlobId(1, 1), folder);
    readsLeft.set(2);
    assertThatThrownBy(() -> batch.append(commit(files))).isInstanceOf(InternalError.class);

    byte[] longer = file(4 * LARGE, 3);
    files.put("_0.dat", longer);
    CompoundCommit appended = batch.append(commit(files));

    FileLocation place = appended.file("_0.dat");
    assertThat(batch.chunk(place.offset(), (int) place.length())).isEqualTo(longer);
    batch.close();
  }
}
