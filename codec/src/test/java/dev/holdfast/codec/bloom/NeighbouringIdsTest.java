package dev.holdfast.codec.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.codec.FieldFormats;
import dev.holdfast.codec.HoldfastCodec;
import java.io.IOException;
import java.util.Locale;
import java.util.function.IntFunction;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which ids have a filter in an index that is to be small, and that all are found.
final class NeighbouringIdsTest {
  private static final int DOCUMENTS = 4000;

  private record Formats(boolean areCompact) implements FieldFormats {
    @Override
    public @Nullable KnnVectorsFormat vectors(String field) {
      return null;
    }

    @Override
    public @Nullable PostingsFormat postings(String field) {
      return null;
    }
  }

  private static String made(int i) {
    return String.format(Locale.ROOT, "AZ8xyz_0123456-%c%04d", 'A' + i / 1000, i);
  }

  private static String sent(int i) {
    return String.format(Locale.ROOT, "%08x-of-a-client-%d", i * 0x9E3779B9, i);
  }

  @Test
  void idsThatWereMadeInRowsNeedNoFilterWhereBytesCount() throws IOException {
    assertThat(filterBytes(NeighbouringIdsTest::made, true)).isLessThan(200);
    assertThat(filterBytes(NeighbouringIdsTest::made, false)).isGreaterThan(DOCUMENTS);
    assertThat(filterBytes(NeighbouringIdsTest::sent, true)).isGreaterThan(DOCUMENTS);
    assertThat(filterBytes(i -> i % 4 == 0 ? sent(i) : made(i), true)).isGreaterThan(DOCUMENTS);
    assertThat(filterBytes(Integer::toString, true)).isGreaterThan(DOCUMENTS);
  }

  private static long filterBytes(IntFunction<String> ids, boolean areCompact) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig();
      config.setCodec(HoldfastCodec.of("default", new Formats(areCompact)));
      config.setUseCompoundFile(false);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = new Document();
          document.add(new StringField("_id", ids.apply(i), Field.Store.NO));
          writer.addDocument(document);
          if (i == DOCUMENTS / 2) {
            writer.commit();
          }
        }
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader leaf = reader.leaves().getFirst().reader();
        TermsEnum terms = leaf.terms("_id").iterator();
        for (int i = 0; i < DOCUMENTS; i++) {
          assertThat(terms.seekExact(new BytesRef(ids.apply(i)))).isTrue();
          assertThat(terms.seekExact(new BytesRef(ids.apply(i) + "x"))).isFalse();
        }
      }
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += file.endsWith("hbf") ? directory.fileLength(file) : 0;
      }
      return bytes;
    }
  }
}
