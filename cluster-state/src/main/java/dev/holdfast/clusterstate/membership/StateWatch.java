package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.log.IncompleteStateException;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A leader looks now and then whether the states that it wrote are still in the store. It knows
/// the state, and whoever starts after it is dead does not: what somebody deleted or damaged is
/// replaced by a whole state, while there is somebody who can write one (decision 017).
///
/// Names of a term are consecutive, and only some of them may be whole: the names up to the next of
/// those are taken one by one, or who fences this term would not find its end.
final class StateWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StateWatch.class);

  /// Every so many looks what is there is read, too.
  private static final int READ_EVERY = 60;

  private final World world;
  private final StateLog log;
  private final StateWriting states;
  private final StateUpdateQueue queue;
  private final Duration pause;
  private int looks;

  /// @param pause before the second look at what seems to be missing
  StateWatch(
      World world, StateLog log, StateWriting states, StateUpdateQueue queue, Duration pause) {
    this.world = world;
    this.log = log;
    this.states = states;
    this.queue = queue;
    this.pause = pause;
  }

  void look() throws IOException, InterruptedException {
    boolean isRead = looks++ % READ_EVERY == 0;
    try {
      log.check(isRead);
    } catch (IncompleteStateException _) {
      Await.pause(world, pause);
      lookAgain(isRead);
    }
  }

  private void lookAgain(boolean isRead) throws IOException, InterruptedException {
    try {
      log.check(isRead);
    } catch (IncompleteStateException e) {
      LOG.error(
          "an object of the cluster state was deleted or damaged by somebody else: the state is"
              + " written anew [key={}, what={}]",
          e.key(),
          e.what());
      states.tear();
      var written = queue.update("write the cluster state anew", state -> state);
      LOG.info("the cluster state is whole again [version={}]", written.version());
    }
  }
}
