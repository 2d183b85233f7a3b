package dev.holdfast.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

final class LazyMergesTest {
  private static final int SEGMENTS = 100;

  @Test
  void waitUntilTheShardIsFilled() throws Exception {
    LazyMerges merges = new LazyMerges();
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = writer(directory, merges)) {
      assertThat(merges.endsFilling(true)).isFalse();
      fill(writer);
      assertThat(segments(writer)).isEqualTo(SEGMENTS);

      assertThat(merges.endsFilling(false)).isTrue();
      assertThat(merges.endsFilling(false)).isFalse();
      writer.maybeMerge();
      assertThat(segments(writer)).isLessThan(SEGMENTS / 2);
    }
  }

  @Test
  void doNotWaitWhileItIsSearched() throws Exception {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = writer(directory, new LazyMerges())) {
      fill(writer);
      assertThat(segments(writer)).isLessThan(SEGMENTS / 2);
    }
  }

  private static IndexWriter writer(ByteBuffersDirectory directory, LazyMerges merges)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMaxFullFlushMergeWaitMillis(0);
    config.setMergePolicy(merges);
    config.setMergeScheduler(new SerialMergeScheduler());
    return new IndexWriter(directory, config);
  }

  private static void fill(IndexWriter writer) throws IOException {
    for (int i = 0; i < SEGMENTS; i++) {
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(i), Field.Store.NO));
      writer.addDocument(document);
      writer.commit();
    }
  }

  private static int segments(IndexWriter writer) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      return reader.leaves().size();
    }
  }
}
