package dev.holdfast.compoundcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.directory.SearchDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.ByteSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompoundCommitTest {
  private static final ByteSize LARGE = ByteSize.mib(64);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void searchesAreTheSameBeforeAndAfterUploadAndRecovery(boolean compound) throws Exception {
    MemoryStore store = new MemoryStore();
    CompoundCommit last;
    try (TestCommitShard shard =
        new TestCommitShard(store, folder.resolve("a"), 1, compound, LARGE)) {
      shard.index(0, 3000);
      CompoundCommit first = shard.refresh();
      shard.index(2990, 3100);
      shard.writer.deleteDocuments(new Term("_id", "id5"));
      shard.writer.updateNumericDocValue(new Term("_id", "id7"), "updated", 1L);
      CompoundCommit second = shard.refresh();

      // Not uploaded: by chunks
      SearchDirectory chunks = shard.searchDirectory();
      chunks.show(shard.notice(first));
      DirectoryReader reader = TestCommitShard.open(chunks, first);
      assertSees(reader, 3000, 0);
      chunks.show(shard.notice(second));
      DirectoryReader newer =
          DirectoryReader.openIfChanged(reader, chunks.commit(second.generation()));
      assertSees(newer, 3099, 1);
      assertClean(chunks);
      // Not uploaded: by the local files
      shard.sameProcess = true;
      SearchDirectory local = shard.searchDirectory();
      local.show(shard.notice(second));
      assertReads(local, second, 3099, 1);
      assertClean(local);

      // Uploaded
      shard.upload();
      assertSees(newer, 3099, 1);
      chunks.show(shard.notice(second));
      assertReads(chunks, second, 3099, 1);
      SearchDirectory uploaded = shard.searchDirectory();
      uploaded.show(shard.notice(second));
      assertReads(uploaded, second, 3099, 1);
      assertClean(uploaded);
      assertThat(uploaded.inUse().blobs()).containsExactlyElementsOf(second.blobs());

      // The writer goes on without its local files
      shard.directory.dropLocal(List.of(shard.directory.listAll()));
      assertThat(shard.directory.localBytes()).isZero();
      assertClean(shard.directory);
      shard.index(3100, 3200);
      shard.writer.updateNumericDocValue(new Term("_id", "id8"), "updated", 1L);
      last = shard.refresh();
      assertThat(last.blobs()).hasSize(2);
      shard.upload();
      shard.writer.forceMerge(1);
      last = shard.refresh();
      assertThat(last.blobs()).hasSize(1);
      shard.upload();
      newer.close();
      reader.close();
    }
    // Recovery by the next owner
    try (TestCommitShard shard =
        new TestCommitShard(store, folder.resolve("b"), 2, compound, LARGE)) {
      assertThat(shard.commits.newest()).contains(last);
      assertThat(shard.directory.localBytes()).isZero();
      try (DirectoryReader reader = DirectoryReader.open(shard.writer)) {
        assertSees(reader, 3199, 2);
      }
      shard.index(3200, 3300);
      CompoundCommit next = shard.refresh();
      shard.upload();
      assertThat(shard.commits.newest()).contains(next);
      assertThat(shard.commits.list()).hasSize(4);
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(next));
      assertReads(search, next, 3299, 2);
      assertClean(search);
    }
  }

  @Test
  void aTinyCacheIsSlowerNotWrong() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard =
        new TestCommitShard(store, folder.resolve("a"), 1, false, ByteSize.kib(16))) {
      shard.index(0, 2000);
      CompoundCommit commit = shard.refresh();
      shard.upload();
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(commit));
      assertReads(search, commit, 2000, 0);
      assertClean(search);
    }
  }

  @Test
  void generationalFilesAreCopiedIntoEachBatch() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder.resolve("a"), 1, false, LARGE)) {
      shard.index(0, 100);
      shard.refresh();
      shard.upload();
      shard.writer.deleteDocuments(new Term("_id", "id5"));
      CompoundCommit withDeletes = shard.refresh();
      BlobId second = withDeletes.home();
      shard.upload();
      shard.directory.dropLocal(List.of(shard.directory.listAll()));
      shard.index(1000, 1010);

      CompoundCommit third = shard.refresh();

      String deletes =
          third.files().keySet().stream()
              .filter(VirtualBatch::isGenerational)
              .findFirst()
              .orElseThrow();
      assertThat(deletes).endsWith(".liv");
      BlobId home = third.home();
      assertThat(third.file(deletes).blob()).isEqualTo(home).isNotEqualTo(second);
      assertThat(third.blobs()).doesNotContain(second);
      shard.upload();
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(third));
      assertReads(search, third, 109, 0);
    }
  }

  @Test
  void theBatchOutlivesTheFilesThatLuceneDeletes() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder.resolve("a"), 1, false, LARGE)) {
      shard.index(0, 2000);
      CompoundCommit first = shard.refresh();
      shard.index(2000, 2100);
      shard.writer.forceMerge(1);
      shard.refresh(); // Lucene deletes the first commit's files now
      String gone = first.segmentsFile();
      assertThat(shard.directory.listAll()).doesNotContain(gone);
      shard.sameProcess = true;
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(first));
      assertReads(search, first, 2000, 0);
      shard.upload();
      SearchDirectory uploaded = shard.searchDirectory();
      uploaded.show(shard.notice(first));
      assertReads(uploaded, first, 2000, 0);
    }
  }

  @Test
  void openInputsHoldTheirBlob() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder.resolve("a"), 1, false, LARGE)) {
      shard.index(0, 100);
      CompoundCommit first = shard.refresh();
      shard.upload();
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(first));
      try (DirectoryReader reader = TestCommitShard.open(search, first)) {
        search.retainOnly(List.of());
        assertThat(reader.numDocs()).isEqualTo(100);
        assertThat(search.inUse().generations()).isEmpty();
        assertThat(search.inUse().blobs()).containsExactlyElementsOf(first.blobs());
        assertThatThrownBy(() -> search.commit(first.generation()))
            .isInstanceOf(NoSuchFileException.class);
      }
      assertThat(search.inUse().blobs()).isEmpty();
    }
  }

  @Test
  void openingAReaderTakesOneRoundTripAFewBytesLong() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder.resolve("a"), 1, false, LARGE)) {
      shard.index(0, 5000);
      CompoundCommit commit = shard.refresh();
      shard.upload();
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(commit));
      try (DirectoryReader reader = TestCommitShard.open(search, commit)) {
        assertThat(reader.numDocs()).isEqualTo(5000);
        assertThat(shard.cache.stats().misses()).isZero();
      }
    }
  }

  @Test
  void anotherBlobOfTheSameNameIsABrokenPromiseAndTheSameBlobIsNot() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder.resolve("a"), 1, false, LARGE)) {
      shard.index(0, 10);
      shard.refresh();
      VirtualBatch.Frozen frozen = shard.batch().freeze();
      shard.commits.upload(frozen);
      shard.commits.upload(frozen);
      store.put(frozen.id().key(TestCommitShard.SHARD), ObjectBody.of(new byte[100]));
      assertThatThrownBy(() -> shard.commits.upload(frozen))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("somebody writes under our term");
    }
  }

  @Test
  void chunksEqualTheBlobAndEndAtAPage() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder.resolve("a"), 1, false, LARGE)) {
      shard.index(0, 500);
      shard.refresh();
      shard.index(500, 600);
      shard.refresh();
      VirtualBatch batch = shard.batch();
      byte[] whole = batch.chunk(0, 1 << 30);
      assertThat(whole.length % 4096).isZero();
      byte[] blob = batch.freeze().body().open().readAllBytes();
      assertThat(blob.length).isEqualTo((int) batch.freeze().body().length());
      assertThat(Arrays.copyOf(blob, whole.length)).isEqualTo(whole);
      assertThat(batch.chunk(4097, 3)).isEqualTo(Arrays.copyOfRange(whole, 4097, 4100));
      assertThat(batch.chunk(whole.length, 10)).isEmpty();
    }
  }

  @Test
  void aShardWithoutBlobsHasNoCommit() throws Exception {
    assertThat(new CommitStore(new MemoryStore(), TestCommitShard.SHARD).newest())
        .isEqualTo(Optional.empty());
  }

  static void assertReads(SearchDirectory directory, CompoundCommit commit, int docs, int updated)
      throws IOException {
    try (DirectoryReader reader = TestCommitShard.open(directory, commit)) {
      assertSees(reader, docs, updated);
    }
  }

  private static void assertSees(IndexReader reader, int docs, int updated) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    assertThat(searcher.count(MatchAllDocsQuery.INSTANCE)).isEqualTo(docs);
    TopDocs one = searcher.search(new TermQuery(new Term("_id", "id42")), 10);
    assertThat(one.totalHits.value()).isEqualTo(1);
    assertThat(searcher.storedFields().document(one.scoreDocs[0].doc).get("_source"))
        .isEqualTo("{\"n\":42}");
    assertThat(searcher.count(new TermQuery(new Term("text", "word")))).isEqualTo(docs);
    assertThat(searcher.count(LongPoint.newRangeQuery("point", 10, 19))).isEqualTo(10);
    Sort descending = new Sort(new SortField("number", SortField.Type.LONG, true));
    TopDocs last = searcher.search(MatchAllDocsQuery.INSTANCE, 3, descending);
    assertThat(last.scoreDocs).hasSize(3);
    assertThat(
            searcher.count(
                org.apache.lucene.document.NumericDocValuesField.newSlowExactQuery("updated", 1)))
        .isEqualTo(updated);
  }

  private static void assertClean(Directory directory) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (CheckIndex check =
        new CheckIndex(
            directory,
            org.apache.lucene.store.NoLockFactory.INSTANCE.obtainLock(
                new org.apache.lucene.store.ByteBuffersDirectory(), "check"))) {
      check.setInfoStream(new PrintStream(said, true, StandardCharsets.UTF_8));
      assertThat(check.checkIndex().clean).as(said.toString(StandardCharsets.UTF_8)).isTrue();
    }
  }
}
