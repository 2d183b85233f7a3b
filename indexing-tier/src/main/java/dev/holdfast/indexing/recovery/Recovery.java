package dev.holdfast.indexing.recovery;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.codec.HoldfastCodec;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.mapping.IndexSort;
import dev.holdfast.indexing.engine.MappedFormats;
import dev.holdfast.indexing.engine.RetainedCommits;
import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.indexing.engine.WriteMapping;
import dev.holdfast.indexing.merge.BoundedMerges;
import dev.holdfast.indexing.merge.LazyMerges;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.indexing.resend.SavedWrites;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.indexing.version.SequenceNumbers;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogReplay;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens a shard from the store (§5, translog recovery): the newest commit's files are adopted
/// where they lie, the log that it points to is replayed on top, and a first commit of our own,
/// which points to our log, is uploaded before the first write: a later owner must find our log. A
/// shard that has no commit yet begins empty, or with what it inherits.
public final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final Duration CLEAN_COMMIT_POLL = Duration.ofMillis(200);

  private final NodeParts node;
  private final LogReplay logs;
  private final WriteMapping mappings;
  private final ShardId shard;
  private final long primaryTerm;
  private final Semaphore replayTurn;
  private volatile boolean hasBegun;

  /// @param replayTurn of one shard of the node, to replay more than a little
  public Recovery(
      NodeParts node,
      LogReplay logs,
      WriteMapping mappings,
      ShardId shard,
      long primaryTerm,
      Semaphore replayTurn) {
    this.node = node;
    this.logs = logs;
    this.mappings = mappings;
    this.shard = shard;
    this.primaryTerm = primaryTerm;
    this.replayTurn = replayTurn;
  }

  /// What the node knows of the newest commit of a shard, which nobody else writes.
  ///
  /// @param commit null when it is to be read
  /// @param blob that it is in; null when that must be looked for
  public record Known(@Nullable CompoundCommit commit, @Nullable BlobId blob) {}

  /// @param inherited what a shard without a commit begins with, copied; null for nothing
  public IndexingShard open(Known known, @Nullable Inheritance inherited)
      throws IOException, InterruptedException {
    long startNanos = node.world().clock().nanoTime();
    CommitStore commits = new CommitStore(node.storage().store(), shard);
    Optional<CompoundCommit> newest =
        inherited != null && inherited.isOfNewShard() ? Optional.empty() : newest(commits, known);
    requireNoSuccessor(newest);
    Inheritance inheritance = newest.isPresent() ? null : inherited;
    if (newest.isEmpty() && inherited == null && isMadeOfOthers()) {
      throw new IOException("what the shard begins with is not copied [shard=" + shard + "]");
    }
    long committedSeqNo =
        inheritance == null
            ? newest.map(CompoundCommit::maxSeqNo).orElse(SequenceNumbers.NONE)
            : inheritance.maxSeqNo();
    Path folder =
        node.storage()
            .scratchFolder()
            .resolve(shard.index().uuid())
            .resolve(shard.number() + "-" + primaryTerm);
    try {
      return open(folder, commits, newest, inheritance, committedSeqNo, startNanos);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      dropFiles(folder, e); // on a full disk they would keep the next opening from its room
      throw e;
    }
  }

  private boolean isMadeOfOthers() {
    IndexMetadata index = mappings.metadata();
    return index.origin() != null || shard.number() >= index.shardsAtFirst();
  }

  /// Whether the shard has given documents away since that commit (decision 031).
  private boolean isDividedSince(CompoundCommit commit) {
    return commit.primaryTerm() < mappings.metadata().dividedSince(shard.number());
  }

  private static void dropFiles(Path folder, Throwable because) {
    try {
      IOUtils.rm(folder);
    } catch (IOException e) {
      because.addSuppressed(e);
    }
  }

  private IndexingShard open(
      Path folder,
      CommitStore commits,
      Optional<CompoundCommit> newest,
      @Nullable Inheritance inheritance,
      long committedSeqNo,
      long startNanos)
      throws IOException, InterruptedException {
    IndexingDirectory directory =
        new IndexingDirectory(folder, node.storage().inputs(), commits::blob);
    newest.ifPresent(directory::adopt);
    ShardCounters counters = new ShardCounters();
    RetainedCommits retained = new RetainedCommits();
    LazyMerges merges = new LazyMerges();
    IndexWriterConfig config = config(retained, counters, merges, newest.isEmpty());
    ShardEngine engine = engine(directory, config, retained, committedSeqNo, counters);
    try {
      if (inheritance != null) {
        inheritance.give(engine.writer, directory);
        inheritance.remember(engine.recent, directory);
      }
      if (newest.isPresent()) {
        loadRecent(engine);
      }
      long replayed = replay(engine, newest, committedSeqNo);
      if (newest.isPresent() && isDividedSince(newest.get())) {
        engine.writer.deleteDocuments(ForeignDocuments.of(mappings.metadata(), shard.number()));
      }
      IndexingShard opened = new IndexingShard(node, engine, mappings, commits, merges, folder);
      opened.begin(() -> hasBegun = true);
      long tookNanos = node.world().clock().nanoTime() - startNanos;
      node.measures().replaySeconds().recordNanos(tookNanos);
      long fromGeneration = newest.map(CompoundCommit::generation).orElse(0L);
      opened.opened(new IndexingShardInfo.Opened(fromGeneration, replayed, tookNanos / 1_000_000));
      LOG.info(
          "opened [shard={}, primary_term={}, generation={}, replayed={}, millis={}]",
          shard,
          primaryTerm,
          fromGeneration,
          replayed,
          tookNanos / 1_000_000);
      return opened;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      engine.close();
      throw e;
    }
  }

  /// Lucene's writer and what is around it. When the one or the other cannot be opened, all is let
  /// go of: a damaged shard is opened again and again.
  private ShardEngine engine(
      IndexingDirectory directory,
      IndexWriterConfig config,
      RetainedCommits retained,
      long committedSeqNo,
      ShardCounters counters)
      throws IOException {
    IndexWriter writer = null;
    try {
      writer = new IndexWriter(directory, config);
      return new ShardEngine(
          node,
          shard,
          primaryTerm,
          writer,
          directory,
          retained,
          committedSeqNo,
          counters,
          () -> mappings.newest().sources());
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.closeWhileHandlingException(writer == null ? null : writer::rollback, directory);
      throw e;
    }
  }

  /// A process that stood still may open what has another owner by now. The log that its newest
  /// commit names is then of a node that lives: to fence it would be to evict that node.
  private void requireNoSuccessor(Optional<CompoundCommit> newest) throws IOException {
    if (newest.isPresent() && newest.get().primaryTerm() > primaryTerm) {
      throw new LaterTermException(
          "the shard was opened under a later term, this node does not know of that yet [shard="
              + shard
              + ", primary_term="
              + primaryTerm
              + ", newest="
              + newest.get().home()
              + "]");
    }
  }

  /// Whether the shard may have written or told something under its term.
  public boolean hasBegun() {
    return hasBegun;
  }

  /// The newest commit. While it says to replay the log of another node that lives, that node may
  /// be about to write a last one that needs no replay: to fence its log would be to stop it.
  private Optional<CompoundCommit> newest(CommitStore commits, Known known)
      throws IOException, InterruptedException {
    if (known.commit != null) {
      return Optional.of(known.commit);
    }
    BlobId blob = known.blob;
    AtomicReference<Optional<CompoundCommit>> newest = new AtomicReference<>(Optional.empty());
    boolean _ =
        Await.until(
            node.world(),
            node.life().cleanCommitMax(),
            CLEAN_COMMIT_POLL,
            () -> {
              Optional<CompoundCommit> now =
                  blob == null ? newestMarked(commits) : Optional.of(commits.newestOf(blob));
              newest.set(now);
              String logOf = now.map(commit -> commit.translog().nodeEphemeralId()).orElse("");
              return logOf.equals(node.cluster().ownership().nodeEphemeralId())
                  || !node.cluster().metadata().current().members().containsKey(logOf);
            });
    return newest.get();
  }

  /// The newest blob that there is, if the cluster state knows of none that is newer (decision
  /// 018).
  private Optional<CompoundCommit> newestMarked(CommitStore commits) throws IOException {
    UploadMark mark = UploadMarks.of(node.cluster().metadata().current(), shard);
    if (mark.acceptsLoss()) {
      LOG.warn(
          "a shard is opened with what there is, its loss was accepted [shard={}, lost={},"
              + " known_max_seq_no={}]",
          shard,
          mark.lost(),
          mark.maxSeqNo());
      return commits.newestWhole();
    }
    return commits.newest(
        mark.isMarked() ? new BlobId(mark.primaryTerm(), mark.generation()) : null);
  }

  private IndexWriterConfig config(
      RetainedCommits retained, ShardCounters counters, LazyMerges merges, boolean isNew) {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setOpenMode(isNew ? OpenMode.CREATE : OpenMode.APPEND);
    config.setCodec(
        HoldfastCodec.of(
            mappings.metadata().setting("index.codec", "default"), MappedFormats.of(mappings)));
    Sort sort = IndexSort.of(mappings.newest(), mappings.metadata().settings());
    if (sort != null) {
      config.setIndexSort(sort);
    }
    config.setUseCompoundFile(false);
    config.setRAMBufferSizeMB(node.config().memory().shardBuffer().bytes() / (double) (1 << 20));
    config.setMergePolicy(merges);
    config.setMergeScheduler(new BoundedMerges(node.world(), node.threads().merging(), counters));
    config.setMaxFullFlushMergeWaitMillis(0);
    config.setIndexDeletionPolicy(retained);
    config.setCommitOnClose(false);
    return config;
  }

  /// What became of writes that the commit holds and that may be sent again.
  private static void loadRecent(ShardEngine engine) {
    for (Map.Entry<String, String> member : engine.writer.getLiveCommitData()) {
      if (member.getKey().equals(SavedWrites.MEMBER)) {
        engine.recent.load(member.getValue());
      }
    }
  }

  private long replay(ShardEngine engine, Optional<CompoundCommit> newest, long committedSeqNo)
      throws IOException, InterruptedException {
    if (newest.isEmpty()) {
      return 0; // no write was ever acknowledged: the first blob comes before the first write
    }
    TranslogPosition from = newest.get().translog();
    if (from.equals(TranslogPosition.NOTHING_TO_REPLAY)) {
      return 0;
    }
    try (Replaying replaying =
        new Replaying(
            node.config(),
            node.threads().writing(),
            engine,
            mappings,
            committedSeqNo,
            replayTurn)) {
      ClusterState state = node.cluster().metadata().current();
      LogReplay.Wanted wanted =
          new LogReplay.Wanted(
              shard,
              from.nodeEphemeralId(),
              from.ordinal(),
              UploadMarks.bounds(state, from.nodeEphemeralId()),
              UploadMarks.of(state, shard).acceptsLoss());
      if (from.nodeEphemeralId().equals(node.cluster().ownership().nodeEphemeralId())) {
        Log.Ticket all = node.log().barrier();
        node.log().await(all);
        logs.replayOwn(wanted, all.ordinal() + 1, replaying::accept);
      } else {
        logs.replay(wanted, replaying::accept);
      }
      return replaying.finish();
    }
  }
}
