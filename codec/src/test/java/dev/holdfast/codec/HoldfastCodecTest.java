package dev.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.codec.stored.HoldfastStoredFieldsFormat;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HoldfastCodecTest {
  private static final int DOCUMENTS = 800;

  @ParameterizedTest
  @ValueSource(strings = {"default", "best_compression", "lz4"})
  void documentsComeBackAfterFlushesMergesAndReopening(String mode, @TempDir Path folder)
      throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    SortedMap<String, byte[]> sources = new TreeMap<>();
    try (Directory directory = FSDirectory.open(folder)) {
      try (IndexWriter writer = writer(directory, mode)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          String id = "id-" + random.nextInt(DOCUMENTS);
          byte[] source = source(random, i);
          sources.put(id, source);
          writer.updateDocument(new Term("_id", id), document(id, source));
          if (random.nextInt(300) == 0) {
            writer.commit();
          }
          if (random.nextInt(50) == 0 && !sources.isEmpty()) {
            String gone = sources.firstKey();
            sources.remove(gone);
            writer.deleteDocuments(new Term("_id", gone));
          }
        }
        writer.commit();
        verify(directory, sources, seed);
        writer.forceMerge(1);
      }
      verify(directory, sources, seed);
      try (CheckIndex check = new CheckIndex(directory)) {
        assertThat(check.checkIndex().clean).as("seed %s", seed).isTrue();
      }
    }
  }

  @Test
  void segmentsOfEveryModeLiveTogether() throws IOException {
    SortedMap<String, byte[]> sources = new TreeMap<>();
    try (Directory directory = new ByteBuffersDirectory()) {
      for (String mode : List.of("lz4", "default", "best_compression")) {
        try (IndexWriter writer = writer(directory, mode)) {
          byte[] source = ("{\"mode\":\"" + mode + "\"}").getBytes(StandardCharsets.UTF_8);
          sources.put(mode, source);
          writer.addDocument(document(mode, source));
        }
      }
      verify(directory, sources, 0);
      assertThat(modes(directory)).containsExactlyInAnyOrder("LZ4", "DEFAULT", "BEST_COMPRESSION");

      try (IndexWriter writer = writer(directory, "default")) {
        writer.forceMerge(1);
      }
      verify(directory, sources, 0);
      assertThat(modes(directory)).containsExactly("DEFAULT");
    }
  }

  /// Otherwise equal operations would not make equal bytes, nor a seed of the simulation one
  /// history.
  @Test
  void segmentsSayNeitherWhenNorWhereTheyWereWritten() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(directory, "default")) {
        writer.addDocument(document("a", new byte[] {1}));
        writer.flush();
        writer.addDocument(document("b", new byte[] {1}));
        writer.forceMerge(1);
      }
      assertThat(SegmentInfos.readLatestCommit(directory))
          .singleElement()
          .satisfies(
              segment -> assertThat(segment.info.getDiagnostics()).containsOnlyKeys("source"));
    }
  }

  @Test
  void zstdIsSmallerThanLz4() throws IOException {
    assertThat(storedBytes("default")).isLessThan(storedBytes("lz4"));
    assertThat(storedBytes("best_compression")).isLessThan(storedBytes("lz4"));
  }

  @Test
  void absentIdsAreTurnedAwayByTheFilter() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(directory, "default")) {
        for (int i = 0; i < 20_000; i++) {
          writer.addDocument(document("present-" + i, new byte[] {1}));
        }
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        Terms terms = reader.leaves().getFirst().reader().terms("_id");
        assertThat(terms).isNotNull();
        int maybe = 0;
        for (int i = 0; i < 20_000; i++) {
          TermsEnum present = java.util.Objects.requireNonNull(terms).iterator();
          assertThat(present.seekExact(new BytesRef("present-" + i))).isTrue();
          assertThat(present.term().utf8ToString()).isEqualTo("present-" + i);
          maybe += terms.iterator().prepareSeekExact(new BytesRef("absent-" + i)) == null ? 0 : 1;
        }
        assertThat(maybe).as("false positives of 20,000").isLessThan(20_000 * 3 / 200);
        TopDocs hits =
            new IndexSearcher(reader).search(new TermQuery(new Term("_id", "present-7")), 1);
        assertThat(hits.totalHits.value()).isEqualTo(1);
      }
    }
  }

  @Test
  void refusesUnknownModes() {
    assertThatThrownBy(() -> HoldfastCodec.of("brotli"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("unknown value for [index.codec]");
  }

  private static IndexWriter writer(Directory directory, String mode) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setCodec(HoldfastCodec.of(mode));
    config.setUseCompoundFile(false);
    return new IndexWriter(directory, config);
  }

  private static Document document(String id, byte[] source) {
    Document document = new Document();
    document.add(new StringField("_id", id, Field.Store.YES));
    document.add(new StoredField("_source", source));
    document.add(new StoredField("number", source.length));
    document.add(new TextField("text", id.replace('-', ' '), Field.Store.NO));
    return document;
  }

  /// Mostly small; some empty; some larger than several blocks; some without any repetition.
  private static byte[] source(Random random, int i) {
    int kind = random.nextInt(100);
    if (kind == 0) {
      return new byte[0];
    }
    if (kind == 1) {
      byte[] noise = new byte[random.nextInt(i % 10 == 0 ? 700_000 : 5000)];
      random.nextBytes(noise);
      return noise;
    }
    String line =
        "{\"time\":\"2024-01-01T00:00:" + i % 60 + "\",\"size\":" + random.nextInt(10_000) + "}";
    return line.repeat(kind < 5 ? random.nextInt(3000) : 1 + random.nextInt(20))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void verify(Directory directory, SortedMap<String, byte[]> sources, long seed)
      throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertThat(reader.numDocs()).isEqualTo(sources.size());
      IndexSearcher searcher = new IndexSearcher(reader);
      StoredFields stored = reader.storedFields();
      for (var expected : sources.entrySet()) {
        TopDocs hits = searcher.search(new TermQuery(new Term("_id", expected.getKey())), 2);
        assertThat(hits.totalHits.value()).as("seed %s, %s", seed, expected.getKey()).isEqualTo(1);
        Document document = stored.document(hits.scoreDocs[0].doc);
        assertThat(document.get("_id")).isEqualTo(expected.getKey());
        BytesRef source = document.getBinaryValue("_source");
        assertThat(BytesRef.deepCopyOf(source).bytes)
            .as("seed %s", seed)
            .isEqualTo(expected.getValue());
      }
    }
  }

  private static List<String> modes(Directory directory) throws IOException {
    List<String> modes = new ArrayList<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        SegmentReader segment = (SegmentReader) leaf.reader();
        modes.add(segment.getSegmentInfo().info.getAttribute(HoldfastStoredFieldsFormat.MODE_KEY));
      }
    }
    return modes;
  }

  private static long storedBytes(String mode) throws IOException {
    Random random = new Random(7);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(directory, mode)) {
        for (int i = 0; i < 4000; i++) {
          byte[] source =
              ("{\"client\":\"10.0."
                      + random.nextInt(256)
                      + "."
                      + random.nextInt(256)
                      + "\",\"request\":\"GET /images/"
                      + random.nextInt(500)
                      + ".gif HTTP/1.0\",\"size\":"
                      + random.nextInt(50_000)
                      + "}")
                  .getBytes(StandardCharsets.UTF_8);
          writer.addDocument(document("id" + i, source));
        }
      }
      long bytes = 0;
      for (String file : directory.listAll()) {
        bytes += file.endsWith(".fdt") ? directory.fileLength(file) : 0;
      }
      return bytes;
    }
  }
}
