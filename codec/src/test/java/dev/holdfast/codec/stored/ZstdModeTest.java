package dev.holdfast.codec.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

final class ZstdModeTest {
  private final ZstdMode mode = new ZstdMode(1);

  @Test
  void aBlockReadTwiceIsDecodedOnceAndLeavesTheInputBehindIt() throws IOException {
    byte[] first = block(1, 5000);
    byte[] second = block(2, 3000);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("blocks", IOContext.DEFAULT)) {
        compress(first, out::writeBytes);
        compress(second, out::writeBytes);
      }
      try (Counting in = new Counting(directory.openInput("blocks", IOContext.DEFAULT))) {
        Decompressor decompressor = mode.newDecompressor();
        BytesRef bytes = new BytesRef();
        decompressor.decompress(in, 5000, 100, 50, bytes);
        assertThat(copy(bytes)).isEqualTo(java.util.Arrays.copyOfRange(first, 100, 150));
        long readOnce = in.bytesRead;

        in.seek(0);
        decompressor.decompress(in, 5000, 4000, 1000, bytes);
        assertThat(copy(bytes)).isEqualTo(java.util.Arrays.copyOfRange(first, 4000, 5000));
        assertThat(in.bytesRead).isEqualTo(readOnce);

        decompressor.decompress(in, 3000, 0, 10, bytes);
        assertThat(copy(bytes)).isEqualTo(java.util.Arrays.copyOf(second, 10));
        assertThat(in.bytesRead).isGreaterThan(readOnce);
      }
    }
  }

  @Test
  void damagedBlocksAreCorruptionNotNonsense() throws IOException {
    byte[] compressed = compressed(block(3, 4000));
    for (int i = 0; i < compressed.length; i += 7) {
      byte[] damaged = compressed.clone();
      damaged[i] ^= 0x40;
      byte[] original = block(3, 4000);
      try {
        BytesRef bytes = new BytesRef();
        mode.newDecompressor().decompress(new ByteArrayDataInput(damaged), 4000, 0, 4000, bytes);
        // Lucene's file checksum finds what zstd can't; the length must hold all the same.
        assertThat(bytes.length).isEqualTo(original.length);
      } catch (IOException | RuntimeException refused) {
        assertThat(refused).isInstanceOfAny(IOException.class, IndexOutOfBoundsException.class);
      }
    }
    assertThatThrownBy(() ->
            mode.newDecompressor()
                .decompress(new ByteArrayDataInput(compressed), 3999, 0, 3999, new BytesRef()))
        .isInstanceOf(CorruptIndexException.class);
  }

  @Test
  void manyThreadsShareTheContexts() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> done =
          IntStream.range(0, 200)
              .mapToObj(i ->
                  threads.submit(() -> {
                    byte[] plain = block(i, 10_000 + i);
                    BytesRef bytes = new BytesRef();
                    mode.newDecompressor()
                        .clone()
                        .decompress(
                            new ByteArrayDataInput(compressed(plain)),
                            plain.length,
                            0,
                            plain.length,
                            bytes);
                    return java.util.Arrays.equals(copy(bytes), plain);
                  }))
              .toList();
      for (Future<Boolean> each : done) {
        assertThat(each.get()).isTrue();
      }
    }
  }

  private byte[] compressed(byte[] plain) throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    compress(plain, out::writeBytes);
    return out.toArrayCopy();
  }

  private void compress(byte[] plain, Sink sink) throws IOException {
    ByteBuffersDataOutput in = new ByteBuffersDataOutput();
    in.writeBytes(plain);
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    try (Compressor compressor = mode.newCompressor()) {
      compressor.compress(in.toDataInput(), out);
    }
    byte[] bytes = out.toArrayCopy();
    sink.write(bytes, 0, bytes.length);
  }

  private static byte[] block(int seed, int length) {
    Random random = new Random(seed);
    byte[] block = new byte[length];
    for (int i = 0; i < length; i++) {
      block[i] = (byte) ('a' + random.nextInt(4));
    }
    return block;
  }

  private static byte[] copy(BytesRef bytes) {
    return BytesRef.deepCopyOf(bytes).bytes;
  }

  private interface Sink {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  private static final class Counting extends FilterIndexInput {
    long bytesRead;

    Counting(IndexInput in) {
      super("counting", in);
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      bytesRead += length;
      super.readBytes(bytes, offset, length);
    }
  }
}
