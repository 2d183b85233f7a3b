package dev.holdfast.codec.docvalues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.codec.FieldFormats;
import dev.holdfast.codec.HoldfastCodec;
import dev.holdfast.codec.ordinal.OrdinalPostingsFormat;
import dev.holdfast.codec.terms.PackedTerms;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bytes that nobody wrote: what is read of them is bounded, and said to be damage.
@Timeout(120)
final class DamagedColumnsTest {
  private static final int DOCUMENTS = 1500;

  private record Formats(boolean areCompact) implements FieldFormats {
    private static final PostingsFormat ORDINALS = new OrdinalPostingsFormat();

    @Override
    public @Nullable KnnVectorsFormat vectors(String field) {
      return null;
    }

    @Override
    public @Nullable PostingsFormat postings(String field) {
      return areCompact ? ORDINALS : null;
    }
  }

  /// Numbers of each form, with outliers and without, and terms of each.
  private static Document document(int i) {
    Random random = new Random(i);
    Document document = new Document();
    document.add(new NumericDocValuesField("offset", random.nextInt(1 << 20)));
    document.add(
        new NumericDocValuesField("outlier", random.nextInt(50) == 0 ? random.nextLong() : i % 7));
    document.add(new NumericDocValuesField("rising", 1_700_000_000_000L + 1009L * i + i % 5));
    document.add(new NumericDocValuesField("falling", -1013L * i));
    document.add(
        new NumericDocValuesField("word", random.nextInt(9) == 0 ? 7_000_003L * (i % 30) : 200));
    if (i % 3 == 0) {
      document.add(new NumericDocValuesField("sparse", random.nextInt(100)));
    }
    document.add(new Field("host", new BytesRef("host-" + i % 90), keyword(IndexOptions.DOCS)));
    document.add(
        new Field(
            "hash", new BytesRef(Long.toHexString(random.nextLong())), keyword(IndexOptions.DOCS)));
    for (int n = i % 4; n > 0; n--) {
      document.add(
          new Field(
              "tags",
              new BytesRef("tag/" + random.nextInt(300)),
              keyword(IndexOptions.DOCS_AND_FREQS)));
    }
    return document;
  }

  private static FieldType keyword(IndexOptions options) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setDocValuesType(DocValuesType.SORTED_SET);
    type.freeze();
    return type;
  }

  private static Directory written(boolean areCompact) throws IOException {
    Directory directory = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig();
    config.setCodec(HoldfastCodec.of("default", new Formats(areCompact)));
    config.setUseCompoundFile(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        writer.addDocument(document(i));
      }
      writer.forceMerge(1);
    }
    return directory;
  }

  private static byte[] bytes(Directory directory, String file) throws IOException {
    try (IndexInput in = directory.openInput(file, IOContext.DEFAULT)) {
      byte[] bytes = new byte[Math.toIntExact(in.length())];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  /// Reads everything there is, in the ways that searches do.
  private static long readAll(Directory directory) throws IOException {
    long read = 0;
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      LeafReader leaf = reader.leaves().getFirst().reader();
      for (FieldInfo field : leaf.getFieldInfos()) {
        if (field.getDocValuesType() == DocValuesType.NUMERIC) {
          read += numbers(leaf, field.name);
        } else {
          read += terms(leaf, field.name) + postings(leaf, field.name);
        }
      }
    }
    return read;
  }

  private static long numbers(LeafReader leaf, String field) throws IOException {
    NumericDocValues values = Objects.requireNonNull(leaf.getNumericDocValues(field));
    long read = 0;
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      long _ = values.longValue();
      read++;
    }
    return read;
  }

  private static long terms(LeafReader leaf, String field) throws IOException {
    SortedSetDocValues values = Objects.requireNonNull(leaf.getSortedSetDocValues(field));
    long size = values.getValueCount();
    long read = 0;
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      for (int n = values.docValueCount(); n > 0; n--) {
        long ordinal = values.nextOrd();
        assertThat(ordinal).isBetween(0L, size - 1);
        if (read++ % 16 == 0) {
          long _ = values.lookupTerm(BytesRef.deepCopyOf(values.lookupOrd(ordinal)));
        }
      }
    }
    return read;
  }

  private static long postings(LeafReader leaf, String field) throws IOException {
    TermsEnum terms = Objects.requireNonNull(leaf.terms(field)).iterator();
    PostingsEnum documents = null;
    long read = 0;
    while (terms.next() != null) {
      read++;
      if (terms.docFreq() == 1 && terms.totalTermFreq() == 1) { // others are Lucene's
        documents = terms.postings(documents, PostingsEnum.FREQS);
        assertThat(documents.nextDoc()).isBetween(0, DOCUMENTS - 1);
      }
    }
    return read;
  }

  /// Of files that are read in parts, and of metadata, which is read with its checksum.
  @ParameterizedTest
  @CsvSource({"hdd,true", "hop,true", "hdd,false", "hdm,true", "hom,true", "hdm,false"})
  void whateverByteIsDamagedNothingButDamageIsMet(String extension, boolean isCompact)
      throws IOException {
    damage(extension, isCompact, new Random().nextLong());
  }

  /// Documents that have a value by the damaged list of those, more than there are values.
  @Test
  void moreDocumentsThanValuesAreDamage() throws IOException {
    damage("hdd", false, -8_295_287_351_004_671_841L);
  }

  private static void damage(String extension, boolean isCompact, long seed) throws IOException {
    Random random = new Random(seed);
    try (Directory directory = written(isCompact)) {
      long whole = readAll(directory);
      String file =
          Arrays.stream(directory.listAll())
              .filter(name -> name.endsWith("." + extension))
              .findFirst()
              .orElseThrow();
      byte[] bytes = bytes(directory, file);
      int refused = 0;
      // Most damage of values makes other values, and in columns of plain numbers nearly all.
      for (int n = 0; n < 700 || (refused == 0 && n < 20_000); n++) {
        byte[] damaged = bytes.clone();
        int at = 60 + random.nextInt(bytes.length - 80); // between header and footer
        int length = 1 + random.nextInt(6);
        for (int i = at; i < Math.min(at + length, bytes.length - 16); i++) {
          damaged[i] = (byte) (random.nextBoolean() ? random.nextInt() : 0xFF);
        }
        directory.deleteFile(file);
        try (IndexOutput out = directory.createOutput(file, IOContext.DEFAULT)) {
          out.writeBytes(damaged, damaged.length);
        }
        try {
          assertThat(readAll(directory)).as("seed %s, %s", seed, n).isLessThanOrEqualTo(whole);
        } catch (IOException damage) {
          refused++;
        } catch (Throwable other) {
          if (other instanceof AssertionError
              && other.getStackTrace()[0].getClassName().startsWith("org.apache.lucene.")) {
            continue; // its own reader asserts what only tests ask it
          }
          throw new AssertionError("seed " + seed + ", " + n + " at " + at, other);
        }
      }
      assertThat(refused).as("seed %s", seed).isPositive();
    }
  }

  /// Width, how many are larger, bytes of their rests, places.
  @Test
  void numbersOfABlockAreNoMoreThanItHas() throws IOException {
    long[] numbers = {1, 2, 3, 1L << 50, 0, 1, 2, 3, 1L << 51, 1, 1, 1, 2, 2, 3, 3, 0, 0, 1, 2};
    PackedBits bits = new PackedBits();
    int _ = bits.choose(numbers, numbers.length);
    byte[] written = new byte[200];
    ByteArrayDataOutput out = new ByteArrayDataOutput(written);
    bits.write(out, numbers, numbers.length);
    assertThat(Arrays.copyOf(written, 3)).containsExactly(2, 2, 7);
    long[] found = new long[numbers.length];
    new PackedBits().read(new ByteArrayDataInput(written), found, found.length);
    assertThat(found).isEqualTo(numbers);

    int places = 3 + 5;
    for (int[] damage :
        new int[][] {
          {0, -1},
          {0, 65},
          {0, 57},
          {1, -1},
          {1, 21},
          {2, -1},
          {2, 0},
          {2, 9},
          {places, 20},
          {places, 9},
          {places + 2, 3},
          {places + 1, -1}
        }) {
      byte[] damaged = written.clone();
      damaged[damage[0]] = (byte) damage[1];
      if (damage[0] == 1 && damage[1] < 0) {
        Arrays.fill(damaged, 1, 5, (byte) 0xFF);
        damaged[5] = 7; // as many as there are ints
      }
      assertThatThrownBy(() ->
              new PackedBits()
                  .read(new ByteArrayDataInput(damaged), new long[numbers.length], numbers.length))
          .as("%s", Arrays.toString(damage))
          .isInstanceOf(CorruptIndexException.class);
    }
  }

  private static DataInput in(byte... bytes) throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    out.writeBytes(bytes);
    return new ByteBuffersDataInput(out.toBufferList());
  }

  @Test
  void aWordIsOneOfTheBlock() {
    byte[][] damaged = {
      {0, 0, 0}, // no words
      {-1, 0, 0}, // fewer
      {65, 0, 0}, // too many
      {2, 2, 4, 2, 0, 0b1001}, // the third of two
    };
    for (byte[] bytes : damaged) {
      assertThatThrownBy(() -> PackedForm.Words.read(in(bytes), new long[2], 2, new PackedBits()))
          .as("%s", Arrays.toString(bytes))
          .isInstanceOf(CorruptIndexException.class);
    }
  }

  /// What is known of the terms names more than could be told of them.
  @Test
  void aTableIsNoLongerThanItsMetadata() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("meta", IOContext.DEFAULT)) {
        out.writeVLong(1L << 40);
        out.writeVLong(0);
        out.writeVLong(0);
        out.writeBytes(new byte[100], 100);
      }
      try (IndexInput meta = directory.openInput("meta", IOContext.DEFAULT)) {
        assertThatThrownBy(() -> PackedTerms.read(meta)).isInstanceOf(CorruptIndexException.class);
      }
    }
  }
}
