package dev.holdfast.indexing.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shards share the memory of indexing buffers, not their failures.
final class IndexingMemoryTest {
  private static IndexWriter writer(Directory directory, int documents) throws IOException {
    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
    for (int i = 0; i < documents; i++) {
      Document document = new Document();
      document.add(new StringField("id", "document " + i, Field.Store.NO));
      writer.addDocument(document);
    }
    return writer;
  }

  /// As of a thread that wrote while its shard was being closed.
  @Test
  void aBufferOfAClosedShardIsForgotten() throws Exception {
    try (Directory one = new ByteBuffersDirectory();
        Directory two = new ByteBuffersDirectory();
        IndexWriter large = writer(one, 5_000);
        IndexWriter small = writer(two, 10)) {
      IndexingMemory memory = new IndexingMemory(new ByteSize(large.ramBytesUsed()));
      memory.note(large);
      large.rollback();
      long before = small.ramBytesUsed();

      memory.note(small);

      assertThat(small.ramBytesUsed()).isLessThan(before);
      assertThat(memory.bytes()).isEqualTo(small.ramBytesUsed());
    }
  }

  @Test
  void theLargestBufferIsWrittenFirst() throws Exception {
    try (Directory one = new ByteBuffersDirectory();
        Directory two = new ByteBuffersDirectory();
        IndexWriter large = writer(one, 5_000);
        IndexWriter small = writer(two, 10)) {
      IndexingMemory memory = new IndexingMemory(new ByteSize(large.ramBytesUsed()));
      memory.note(large);
      long before = small.ramBytesUsed();

      memory.note(small);

      assertThat(small.ramBytesUsed()).isEqualTo(before);
      assertThat(memory.bytes()).isEqualTo(before + large.ramBytesUsed());
    }
  }

  /// A full disk, and a fault of the program.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatBefallsAnotherShardFailsThisOneNot(boolean isFault) throws Exception {
    AtomicBoolean isFull = new AtomicBoolean();
    Directory full =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            if (isFull.get() && isFault) {
              throw new IllegalStateException("a fault");
            }
            if (isFull.get()) {
              throw new IOException("No space left on device");
            }
            return super.createOutput(name, context);
          }
        };
    try (Directory two = new ByteBuffersDirectory();
        IndexWriter small = writer(two, 10)) {
      IndexWriter large = writer(full, 5_000);
      IndexingMemory memory = new IndexingMemory(new ByteSize(large.ramBytesUsed()));
      memory.note(large);
      long before = small.ramBytesUsed();
      isFull.set(true);

      memory.note(small);

      assertThat(small.ramBytesUsed()).isLessThan(before);
      isFull.set(false);
      large.rollback();
    }
  }
}
