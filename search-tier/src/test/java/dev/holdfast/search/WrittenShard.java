package dev.holdfast.search;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.batch.NewCommit;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.objectstore.ObjectStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/// A shard being written, as an indexing node does it, with every commit uploaded or kept as a
/// batch.
final class WrittenShard implements Closeable {
  final ShardId id;
  private final long term;
  private final Mapping mapping;
  private final Path folder;
  private final CommitStore commits;
  private final IndexingDirectory directory;
  private final IndexWriter writer;
  private @Nullable VirtualBatch batch;
  private @Nullable BlobId newestUploaded;
  private long seqNo;

  WrittenShard(
      ShardId id, long term, Mapping mapping, ObjectStore store, BlobCache cache, Path folder)
      throws IOException {
    this.id = id;
    this.term = term;
    this.mapping = mapping;
    this.folder = folder.resolve("index");
    commits = new CommitStore(store, id);
    directory = new IndexingDirectory(this.folder, cache, commits::blob);
    Optional<CompoundCommit> newest = commits.newest();
    newest.ifPresent(directory::adopt);
    newestUploaded = newest.map(CompoundCommit::home).orElse(null);
    writer =
        new IndexWriter(
            directory, new IndexWriterConfig().setUseCompoundFile(false).setCommitOnClose(false));
  }

  void add(String... idsAndDocuments) throws IOException {
    BatchBuilder builder = mapping.newBatch();
    for (int i = 0; i < idsAndDocuments.length; i += 2) {
      byte[] bytes = idsAndDocuments[i + 1].getBytes(StandardCharsets.UTF_8);
      switch (builder.add(new DocumentSource(idsAndDocuments[i], null, bytes, 0, bytes.length))) {
        case BatchBuilder.Outcome.Added(int row) -> builder.identify(row, seqNo++, term, 1);
        case BatchBuilder.Outcome.NeedsMapping(var update) ->
            throw new IllegalStateException("not in the mapping: " + update);
        case BatchBuilder.Outcome.Refused(var refusal) -> throw refusal;
      }
    }
    writer.addBatch(builder.columns());
  }

  void delete(String document) throws IOException {
    writer.deleteDocuments(new Term("_id", document));
  }

  /// Commits; the commit is in a batch that is not uploaded.
  CommitNotice refresh() throws IOException {
    writer.commit();
    SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
    VirtualBatch current = batch;
    if (current == null) {
      current = new VirtualBatch(id, new BlobId(term, infos.getGeneration()), folder);
      batch = current;
    }
    Map<String, FileLocation> stored = new TreeMap<>();
    for (String file : infos.files(true)) {
      directory.location(file).ifPresent(location -> stored.put(file, location));
    }
    CompoundCommit commit =
        current.append(
            new NewCommit(
                term,
                infos.getGeneration(),
                infos.getSegmentsFileName(),
                new TranslogPosition("node", 0),
                seqNo - 1,
                infos.totalMaxDoc(),
                0,
                infos.files(true),
                stored,
                file -> directory.openInput(file, IOContext.DEFAULT)));
    return new CommitNotice(id, commit, Optional.ofNullable(newestUploaded));
  }

  /// Uploads what is not uploaded.
  CommitNotice upload() throws IOException {
    CommitNotice notice = refresh();
    VirtualBatch full = java.util.Objects.requireNonNull(batch);
    VirtualBatch.Frozen frozen = full.freeze();
    commits.upload(frozen);
    frozen.commits().forEach(commit -> directory.uploaded(commit.files()));
    newestUploaded = full.id();
    batch = null;
    full.close();
    return new CommitNotice(id, notice.commit(), Optional.of(full.id()));
  }

  Optional<byte[]> chunk(BlobId blob, long offset, int length) throws IOException {
    VirtualBatch now = batch;
    return now != null && now.id().equals(blob)
        ? Optional.of(now.chunk(offset, length))
        : Optional.empty();
  }

  @Override
  public void close() throws IOException {
    writer.rollback();
    if (batch != null) {
      batch.close();
    }
    directory.close();
  }
}
