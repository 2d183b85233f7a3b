package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.batch.NewCommit;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.directory.SearchDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/// A shard for tests: a real IndexWriter, batches, a store in memory, a cache on disk.
public final class TestCommitShard implements Closeable, IndexingReads {
  public static final ShardId SHARD = new ShardId(new IndexId("books", "uuid"), 0);

  final World world = RealWorld.create();
  final MemoryStore store;
  public final CommitStore commits;
  public final BlobCache cache;
  final Path folder;
  public final IndexingDirectory directory;
  public final IndexWriter writer;
  final Map<String, FileLocation> pending = new TreeMap<>();
  final long term;
  @Nullable VirtualBatch batch;
  @Nullable BlobId newestUploaded;
  public boolean sameProcess;
  public int chunksAsked;

  /// @param term of this owner
  public TestCommitShard(
      MemoryStore store, Path folder, long term, boolean compound, ByteSize cacheSize)
      throws IOException {
    this.store = store;
    this.term = term;
    this.folder = folder;
    this.commits = new CommitStore(store, SHARD);
    this.cache = new BlobCache(folder.resolve("cache"), cacheSize, world, CacheConfig.defaults());
    this.directory = new IndexingDirectory(folder.resolve("index"), cache, commits::blob);
    Optional<CompoundCommit> newest = commits.newest();
    newest.ifPresent(directory::adopt);
    this.newestUploaded = newest.map(CompoundCommit::home).orElse(null);
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setUseCompoundFile(compound);
    config.setCommitOnClose(false);
    config.setMergePolicy(new TieredMergePolicy());
    this.writer = new IndexWriter(directory, config);
  }

  public void index(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Document document = new Document();
      document.add(new StringField("_id", "id" + i, Field.Store.YES));
      document.add(new TextField("text", "the word w" + i % 17 + " of " + i, Field.Store.NO));
      document.add(new NumericDocValuesField("number", i));
      document.add(new NumericDocValuesField("updated", 0));
      document.add(new LongPoint("point", i));
      document.add(new StoredField("_source", "{\"n\":" + i + "}"));
      writer.updateDocument(new Term("_id", "id" + i), document);
    }
  }

  /// Commits and appends to the current batch.
  public CompoundCommit refresh() throws IOException {
    writer.commit();
    SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
    VirtualBatch current = batch;
    if (current == null) {
      BlobId id = new BlobId(term, infos.getGeneration());
      current = new VirtualBatch(SHARD, id, folder.resolve("index"));
      batch = current;
    }
    Map<String, FileLocation> stored = new TreeMap<>();
    for (String file : infos.files(true)) {
      directory.location(file).ifPresent(location -> stored.put(file, location));
    }
    return current.append(
        new NewCommit(
            term,
            infos.getGeneration(),
            infos.getSegmentsFileName(),
            new TranslogPosition("node", 7),
            41,
            infos.totalMaxDoc(),
            1234,
            infos.files(true),
            stored,
            file -> directory.openInput(file, IOContext.DEFAULT)));
  }

  /// Uploads the batch; local files stay.
  public void upload() throws IOException {
    upload(new byte[0]);
  }

  /// @param carried of its index
  public void upload(byte[] carried) throws IOException {
    VirtualBatch full = batch();
    VirtualBatch.Frozen frozen = full.freeze(carried);
    commits.upload(frozen);
    frozen.commits().forEach(commit -> directory.uploaded(commit.files()));
    newestUploaded = full.id();
    batch = null;
    full.close();
  }

  public VirtualBatch batch() {
    return java.util.Objects.requireNonNull(batch);
  }

  public SearchDirectory searchDirectory() {
    return new SearchDirectory(SHARD, cache, commits::blob, this);
  }

  public CommitNotice notice(CompoundCommit commit) {
    return new CommitNotice(SHARD, commit, Optional.ofNullable(newestUploaded));
  }

  public static DirectoryReader open(SearchDirectory directory, CompoundCommit commit)
      throws IOException {
    return StandardDirectoryReader.open(directory.commit(commit.generation()));
  }

  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    chunksAsked++;
    VirtualBatch now = batch;
    return now != null && now.id().equals(blob)
        ? Optional.of(now.chunk(offset, length))
        : Optional.empty();
  }

  @Override
  public boolean isHere(ShardId shard) {
    return sameProcess;
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    VirtualBatch now = batch;
    return sameProcess && now != null ? now.localFile(file) : Optional.empty();
  }

  @Override
  public dev.holdfast.compoundcommit.notice.CommitNotice newest(
      ShardId shard, String member, long stateVersion) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void searched(ShardId shard) {}

  @Override
  public void upload(ShardId shard) {}

  @Override
  public RealTimeDocument get(ShardId shard, String id) {
    return RealTimeDocument.missing();
  }

  @Override
  public void close() throws IOException {
    writer.rollback();
    if (batch != null) {
      batch.close();
    }
    directory.close();
    cache.close();
  }
}
