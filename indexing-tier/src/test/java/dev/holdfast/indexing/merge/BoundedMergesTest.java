package dev.holdfast.indexing.merge;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.indexing.engine.ShardCounters;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BoundedMergesTest {
  private static final int SEGMENTS = 8;

  private final World world = RealWorld.create();

  /// The first merge fails as one of an index that was deleted meanwhile does. Lucene closes the
  /// writer on that merge's thread, which is the only one, and waits for the other three.
  @Test
  void aWriterThatOneMergeFailedEndsThoughOthersWait() throws Exception {
    try (WorkPool pool = world.tasks().pool("merge", 1, 100);
        ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      Pairs pairs = new Pairs();
      IndexWriter writer = filled(directory, pairs, pool);
      pairs.isOn = true;
      writer.maybeMerge();
      assertThat(pairs.begun.await(30, SECONDS)).isTrue();

      pairs.mayFail.countDown();

      assertThat(pool.<Boolean>call(() -> true)).isTrue();
      assertThat(writer.isOpen()).isFalse();
      assertThat(writer.getTragicException()).isInstanceOf(Refusal.class);
      writer.rollback();
    }
  }

  @Test
  void aWriterClosesThoughTheThreadsForMergesAreTakenByOthers() throws Exception {
    try (WorkPool pool = world.tasks().pool("merge", 1, 100);
        ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      CountDownLatch isOver = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(1);
      Thread other =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  boolean _ =
                      pool.call(() -> {
                        begun.countDown();
                        return isOver.await(50, SECONDS);
                      });
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      begun.await();
      Pairs pairs = new Pairs();
      IndexWriter writer = filled(directory, pairs, pool);
      pairs.isOn = true;
      writer.maybeMerge();

      writer.rollback();

      assertThat(other.isAlive()).isTrue();
      isOver.countDown();
      other.join();
    }
  }

  private IndexWriter filled(ByteBuffersDirectory directory, Pairs pairs, WorkPool pool)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergePolicy(pairs);
    config.setMergeScheduler(new BoundedMerges(world, pool, new ShardCounters()));
    IndexWriter writer = new IndexWriter(directory, config);
    for (int i = 0; i < SEGMENTS; i++) {
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(i), Field.Store.NO));
      writer.addDocument(document);
      writer.flush();
    }
    return writer;
  }

  /// Each two neighbours are a merge, once; each fails.
  private static final class Pairs extends FilterMergePolicy {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayFail = new CountDownLatch(1);
    volatile boolean isOn;

    Pairs() {
      super(NoMergePolicy.INSTANCE);
    }

    @Override
    public MergeSpecification findMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) {
      if (!isOn || !context.getMergingSegments().isEmpty()) {
        return null;
      }
      MergeSpecification pairs = new MergeSpecification();
      List<SegmentCommitInfo> segments = new ArrayList<>(infos.asList());
      for (int i = 0; i + 1 < segments.size(); i += 2) {
        pairs.add(new Failing(segments.subList(i, i + 2)));
      }
      return pairs;
    }

    private final class Failing extends OneMerge {
      Failing(List<SegmentCommitInfo> segments) {
        super(segments);
      }

      @Override
      public CodecReader wrapForMerge(CodecReader reader) throws IOException {
        begun.countDown();
        try {
          boolean _ = mayFail.await(50, SECONDS);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        throw Refusal.indexNotFound("books");
      }
    }
  }
}
