package dev.holdfast.indexing.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.SourceReading;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class LiveReaderTest {
  private final VersionMap versions = new VersionMap();
  private ByteBuffersDirectory directory;
  private IndexWriter writer;
  private LiveReader live;

  @BeforeEach
  void open() throws IOException {
    directory = new ByteBuffersDirectory();
    writer = new IndexWriter(directory, new IndexWriterConfig());
    live = new LiveReader(writer, versions, RealWorld.create().clock());
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    directory.close();
  }

  @Test
  void aCommitOfAppendedDocumentsIsShownWhenSomebodyNeedsIt() throws IOException {
    writer.addDocument(new Document());
    live.committed();
    assertThat(shown()).isZero();
    live.showCommitted();
    assertThat(shown()).isOne();
    writer.addDocument(new Document());
    live.showCommitted(); // it is not committed
    assertThat(shown()).isOne();
    live.close();
  }

  /// Ids of people, and those that the server makes, differ in their lengths: whoever asks for the
  /// one does not wait until the other are shown.
  @Test
  void aLookUpShowsAppendsOnlyWhereItsIdMayBeAmongThem() throws IOException {
    writer.addDocument(new Document());
    versions.append("made-by-the-server", new VersionMap.Entry(0, 1, 1, false, 0, null));
    live.showAppend("12");
    assertThat(shown()).isZero();
    live.showAppend("made-by-the-xxxxxx");
    assertThat(shown()).isOne();

    writer.addDocument(new Document());
    versions.append("x".repeat(100), new VersionMap.Entry(0, 1, 1, false, 0, null));
    live.showAppend("y".repeat(70));
    assertThat(shown()).as("those that are put now need no reopening").isOne();
    live.close();
  }

  @Test
  void documentsThatAreReadTogetherShareAReaderUntilThereIsANewerOne() throws IOException {
    DirectoryReader first = live.acquire();
    first.decRef();
    BatchReads reads = new BatchReads(live);
    for (int i = 0; i < 3; i++) {
      assertThat(reads.find("none", SourceReading.STORED).exists()).isFalse();
      assertThat(first.getRefCount()).isEqualTo(2);
    }

    writer.addDocument(new Document());
    live.reopen();
    assertThat(first.getRefCount()).isOne(); // only by what is read
    assertThat(reads.find("none", SourceReading.STORED).exists()).isFalse();
    assertThat(first.getRefCount()).isZero();

    DirectoryReader second = live.acquire();
    second.decRef();
    assertThat(second.getRefCount()).isEqualTo(2);
    reads.close();
    reads.close();
    assertThat(second.getRefCount()).isOne();
    live.close();
  }

  @Test
  void whatIsNotShownForLongIsDue() throws IOException {
    long nowNanos = RealWorld.create().clock().nanoTime();
    long laterNanos = nowNanos + Duration.ofSeconds(31).toNanos();
    assertThat(live.isOld(laterNanos)).isFalse(); // nothing was committed
    writer.addDocument(new Document());
    live.committed();
    assertThat(live.isOld(nowNanos)).isFalse();
    assertThat(live.isOld(laterNanos)).isTrue();
    live.showCommitted();
    assertThat(live.isOld(laterNanos)).isFalse();
    live.close();
  }

  @Test
  void aCommitIsShownAtOnceWhileIdsWaitForIt() throws IOException {
    versions.put("a", new VersionMap.Entry(0, 1, 1, false, 0, null));
    writer.addDocument(new Document());
    live.committed();
    assertThat(shown()).isOne();
    assertThat(versions.isEmpty()).isTrue();
    live.close();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoComesAfterItWasClosedIsRefused() throws IOException {
    live.close();
    assertThatThrownBy(live::acquire).isInstanceOf(AlreadyClosedException.class);
    assertThatThrownBy(live::reopen).isInstanceOf(AlreadyClosedException.class);
  }

  private int shown() throws IOException {
    DirectoryReader reader = live.acquire();
    try {
      return reader.numDocs();
    } finally {
      reader.decRef();
    }
  }
}
