package dev.holdfast.codec.docvalues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.codec.terms.PackedTerms;
import dev.holdfast.codec.terms.PackedTermsEnum;
import dev.holdfast.codec.terms.PackedTermsReader;
import dev.holdfast.codec.terms.PackedTermsWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorted terms in compressed blocks.
final class PackedTermsTest {
  private static List<BytesRef> terms(Random random, int count, int lengthMax) {
    TreeSet<BytesRef> terms = new TreeSet<>();
    byte[] base = new byte[lengthMax];
    while (terms.size() < count) {
      byte[] term = new byte[random.nextInt(lengthMax + 1)];
      random.nextBytes(term);
      int shared = random.nextInt(3) == 0 ? 0 : random.nextInt(term.length + 1);
      System.arraycopy(base, 0, term, 0, shared);
      base = term.length == lengthMax ? term : base;
      terms.add(new BytesRef(term));
    }
    return new ArrayList<>(terms);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 200, 5000})
  void everyTermIsFoundByItsPlaceAndItsBytes(int count) throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int lengthMax : new int[] {3, 40, 2000}) {
      List<BytesRef> terms =
          terms(random, count, count > 200 ? Math.min(lengthMax, 60) : lengthMax);
      try (Directory directory = new ByteBuffersDirectory()) {
        write(directory, terms);
        try (IndexInput meta = directory.openInput("meta", IOContext.DEFAULT);
            IndexInput data = directory.openInput("data", IOContext.DEFAULT)) {
          PackedTerms known = PackedTerms.read(meta);
          PackedTermsReader reader = new PackedTermsReader(known, data);
          assertThat(reader.size()).isEqualTo(terms.size());
          for (int i = 0; i < terms.size(); i++) {
            int any = random.nextInt(terms.size());
            assertThat(reader.term(any)).as("seed %s", seed).isEqualTo(terms.get(any));
            assertThat(reader.ceiling(terms.get(i))).as("seed %s", seed).isEqualTo(i);
            byte[] text = new byte[random.nextInt(5)];
            random.nextBytes(text);
            long expected = terms.stream().filter(t -> t.compareTo(new BytesRef(text)) < 0).count();
            if (i < 300) {
              assertThat(reader.ceiling(new BytesRef(text)))
                  .as("seed %s", seed)
                  .isEqualTo(expected);
            }
          }
          TermsEnum all = new PackedTermsEnum(new PackedTermsReader(known, data));
          for (BytesRef term : terms) {
            assertThat(all.next()).isEqualTo(term);
          }
          assertThat(all.next()).isNull();
        }
      }
    }
  }

  private static void write(Directory directory, List<BytesRef> terms) throws IOException {
    try (IndexOutput meta = directory.createOutput("meta", IOContext.DEFAULT);
        IndexOutput data = directory.createOutput("data", IOContext.DEFAULT);
        PackedTermsWriter writer = new PackedTermsWriter(data, meta)) {
      writer.write(new Listed(terms));
    }
  }

  /// Terms of a list, one after another.
  private static final class Listed extends org.apache.lucene.index.FilteredTermsEnum {
    private final java.util.Iterator<BytesRef> terms;

    Listed(List<BytesRef> terms) {
      super(TermsEnum.EMPTY, false);
      this.terms = terms.iterator();
    }

    @Override
    protected AcceptStatus accept(BytesRef term) {
      return AcceptStatus.YES;
    }

    @Override
    public BytesRef next() {
      return terms.hasNext() ? terms.next() : null;
    }
  }

  /// Hashes in hexadecimal, several a document: half a byte a digit, and what documents have.
  @Test
  void hashesTakeNoMoreThanTheyTell() throws IOException {
    Random random = new Random(1);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = HoldfastDocValuesTest.writer(directory, true, false)) {
        for (int i = 0; i < 5000; i++) {
          Document document = new Document();
          for (int n = 0; n < 1 + i % 3; n++) {
            String hash = "%016x%016x".formatted(random.nextLong(), random.nextLong());
            document.add(new SortedSetDocValuesField("hash", new BytesRef(hash)));
          }
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += file.contains("Packed") ? directory.fileLength(file) : 0;
      }
      assertThat(bytes).isLessThan(9_999 * 20);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(
                reader.leaves().getFirst().reader().getSortedSetDocValues("hash").getValueCount())
            .isEqualTo(9999);
      }
    }
  }
}
