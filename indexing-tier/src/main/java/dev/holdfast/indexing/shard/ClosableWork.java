package dev.holdfast.indexing.shard;

import dev.holdfast.indexing.engine.ShardEngine;
import dev.holdfast.objectstore.StoreException;
import java.io.IOException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;

/// Work on Lucene or on the batches of a shard that may be closed while somebody is at it: it
/// moves, or its index is deleted.
@FunctionalInterface
interface ClosableWork {
  void run() throws IOException, InterruptedException;

  /// @throws dev.holdfast.world.Refusal 503 when the shard was closed meanwhile
  static void on(ShardEngine engine, ClosableWork work) throws IOException, InterruptedException {
    try {
      work.run();
    } catch (AlreadyClosedException e) {
      throw engine.asFailure(e);
    } catch (IllegalStateException e) { // of a writer that has failed meanwhile
      if (!engine.isOpen()) {
        throw ShardEngine.unavailable(engine.shard, e);
      }
      throw e;
    } catch (IOException e) {
      if (engine.isClosed() && !(e instanceof StoreException)) { // its files went
        throw ShardEngine.unavailable(engine.shard, e);
      }
      throw e;
    }
  }

  static void merge(IndexWriter writer, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException {
    if (onlyExpungeDeletes) {
      writer.forceMergeDeletes(true);
    } else if (maxSegments < 1) {
      writer.maybeMerge();
    } else {
      writer.forceMerge(maxSegments, true);
    }
  }
}
