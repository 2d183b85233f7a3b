package dev.holdfast.indexing.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

final class ForeignDocumentsTest {
  private static final int DOCUMENTS = 500;

  @Test
  void nobodyLooksThroughAllIdsForNothing() throws Exception {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = new Document();
          document.add(new StringField(MetadataFields.ID, "d" + i, Field.Store.NO));
          var _ = writer.addDocument(document);
        }
      }
      ForeignDocuments foreign = new ForeignDocuments(new ShardLayout(2, 1, 2), 0, 1);
      assertThat(foreign.countIn(directory)).isBetween(1, DOCUMENTS - 1);
      StopSignal left = StopSignal.of(() -> true, RealWorld.create().clock());
      assertThatThrownBy(() -> left.<Integer, IOException>during(() -> foreign.countIn(directory)))
          .isInstanceOf(Refusal.class);
    }
  }
}
