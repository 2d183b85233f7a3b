package dev.holdfast.indexing;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.directory.SearchDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.notice.SearchNotices;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/// The search tier at its smallest: one reader a shard over a real search directory, opened on the
/// newest notice; it reads every document at once, through chunks or blobs.
public final class SearchCopy implements SearchNotices {
  private final ObjectStore store;
  private final BlobInputs inputs;
  private final Map<ShardId, Copy> copies = new HashMap<>();

  /// A permit for each notice, before it is looked at. Whoever holds this object's monitor keeps
  /// notices from being answered.
  final Semaphore arrivals = new Semaphore(0);

  @SuppressWarnings("NullAway.Init")
  private IndexingReads reads;

  private static final class Copy {
    final SearchDirectory directory;
    @Nullable CompoundCommit commit;
    @Nullable DirectoryReader reader;

    Copy(SearchDirectory directory) {
      this.directory = directory;
    }
  }

  SearchCopy(ObjectStore store, BlobInputs inputs) {
    this.store = store;
    this.inputs = inputs;
  }

  void reads(IndexingReads indexing) {
    reads = indexing;
  }

  @Override
  public InUse commit(CommitNotice notice) throws IOException {
    arrivals.release();
    return show(notice);
  }

  private synchronized InUse show(CommitNotice notice) throws IOException {
    Copy copy =
        copies.computeIfAbsent(
            notice.shard(),
            shard ->
                new Copy(
                    new SearchDirectory(
                        shard, inputs, new CommitStore(store, shard)::blob, reads)));
    copy.directory.show(notice);
    if (copy.commit == null
        || copy.commit.primaryTerm() < notice.commit().primaryTerm()
        || copy.commit.generation() < notice.commit().generation()) {
      DirectoryReader newer =
          DirectoryReader.open(copy.directory.commit(notice.commit().generation()));
      if (copy.reader != null) {
        copy.reader.close();
      }
      copy.reader = newer;
      copy.commit = notice.commit();
      copy.directory.retainOnly(List.of(notice.commit()));
    }
    return copy.directory.inUse();
  }

  @Override
  public synchronized InUse inUse(ShardId shard, long stateVersion) {
    Copy copy = copies.get(shard);
    return copy == null ? InUse.NOTHING : copy.directory.inUse();
  }

  /// Every document that a search sees: source by id.
  public synchronized Map<String, String> documents(ShardId shard) throws IOException {
    Map<String, String> documents = new TreeMap<>();
    Copy copy = Objects.requireNonNull(copies.get(shard));
    IndexSearcher searcher = new IndexSearcher(Objects.requireNonNull(copy.reader));
    for (ScoreDoc hit : searcher.search(MatchAllDocsQuery.INSTANCE, 100_000).scoreDocs) {
      Document document = searcher.storedFields().document(hit.doc);
      String before =
          documents.put(
              document.getBinaryValue(MetadataFields.ID).utf8ToString(),
              document.getBinaryValue(MetadataFields.SOURCE).utf8ToString());
      if (before != null) {
        throw new AssertionError("a document is there twice: " + document);
      }
    }
    return documents;
  }

  static String text(byte @Nullable [] bytes) {
    return new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
  }
}
