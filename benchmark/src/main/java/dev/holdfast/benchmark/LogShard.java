package dev.holdfast.benchmark;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.codec.HoldfastCodec;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.batch.NewCommit;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.directory.IndexingDirectory;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.IOContext;

/// A shard of log lines, written with the product's codec and uploaded as batched compound commits,
/// as an indexing node does it; its Lucene files stay in a local folder, for comparison.
final class LogShard {
  static final ShardId ID = new ShardId(new IndexId("logs", "benchmark"), 0);

  /// Words of messages; the n-th is `n` times as rare as the first.
  static final int WORDS = 50_000;

  private static final int HOSTS = 2_000;
  private static final int WORDS_MIN = 6;
  private static final int WORDS_MORE = 12;
  private static final int BATCH = 1000;
  private static final String MAPPING =
      """
      {"properties":{"@timestamp":{"type":"date"},"message":{"type":"text"},
       "host":{"type":"keyword"},"trace":{"type":"keyword"},"status":{"type":"long"}}}\
      """;

  private LogShard() {}

  static Mapping mapping() {
    return new StandardMappings().create(Json.parseObject(MAPPING), new TreeMap<>());
  }

  /// Writes so many lines, with a commit and an upload every `linesABlob`.
  ///
  /// @param local where Lucene's files stay
  static void write(
      ObjectStore store, BlobInputs inputs, Path local, int lines, int linesABlob, long seed)
      throws IOException {
    CommitStore commits = new CommitStore(store, ID);
    Mapping mapping = mapping();
    Random random = new Random(seed);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(HoldfastCodec.of("default"))
            .setUseCompoundFile(false)
            .setRAMBufferSizeMB(64)
            .setCommitOnClose(false);
    config.getMergePolicy().setNoCFSRatio(0);
    IndexingDirectory directory = new IndexingDirectory(local, inputs, commits::blob);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int line = 0; line < lines; ) {
        BatchBuilder batch = mapping.newBatch();
        for (int i = 0; i < BATCH; i++, line++) {
          byte[] bytes = line(line, random).getBytes(StandardCharsets.UTF_8);
          switch (batch.add(new DocumentSource("l" + line, null, bytes, 0, bytes.length))) {
            case BatchBuilder.Outcome.Added(int row) -> batch.identify(row, line, 1, 1);
            case BatchBuilder.Outcome.NeedsMapping(var update) ->
                throw new IllegalStateException("not in the mapping: " + update);
            case BatchBuilder.Outcome.Refused(var refusal) -> throw refusal;
          }
        }
        writer.addBatch(batch.columns());
        if (line % linesABlob == 0 || line >= lines) {
          writer.commit();
          upload(directory, commits, local);
        }
      }
    }
  }

  private static void upload(IndexingDirectory directory, CommitStore commits, Path local)
      throws IOException {
    SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
    BlobId blob = new BlobId(1, infos.getGeneration());
    Map<String, FileLocation> stored = new TreeMap<>();
    for (String file : infos.files(true)) {
      directory.location(file).ifPresent(location -> stored.put(file, location));
    }
    try (VirtualBatch batch = new VirtualBatch(ID, blob, local)) {
      var commit =
          batch.append(
              new NewCommit(
                  1,
                  infos.getGeneration(),
                  infos.getSegmentsFileName(),
                  new TranslogPosition("node", 0),
                  0,
                  infos.totalMaxDoc(),
                  0,
                  infos.files(true),
                  stored,
                  file -> directory.openInput(file, IOContext.DEFAULT)));
      commits.upload(batch.freeze());
      directory.uploaded(commit.files());
    }
  }

  private static String line(int number, Random random) {
    StringBuilder line = new StringBuilder(300);
    line.append("{\"@timestamp\":").append(1_700_000_000_000L + number * 37L);
    line.append(",\"host\":\"host-").append(random.nextInt(HOSTS));
    line.append("\",\"trace\":\"").append(Long.toHexString(random.nextLong()));
    line.append("\",\"status\":").append(random.nextInt(20) == 0 ? 500 : 200);
    line.append(",\"message\":\"");
    for (int i = WORDS_MIN + random.nextInt(WORDS_MORE); i > 0; i--) {
      line.append(word(zipf(random))).append(' ');
    }
    return line.append("\"}").toString();
  }

  /// The word of that rank.
  static String word(int rank) {
    return Integer.toString(rank * 7919 + 40_000, 36);
  }

  private static int zipf(Random random) {
    return (int) Math.exp(random.nextDouble() * Math.log(WORDS));
  }
}
