package dev.holdfast.simulation.fortnight;

import dev.holdfast.api.indices.downsample.DownsampleConfig;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.world.Tasks;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// A cluster whose leader dies now and then, before or after a change is durable.
final class MortalCluster implements Metadata {
  /// What updates are called that delete indices because of their age.
  private static final String DELETION = "retention [";

  private final Random random;
  private final boolean keepsAll;
  private ClusterState state;

  /// @param keepsAll a planted fault: what deletes indices changes nothing
  MortalCluster(Random random, ClusterState state, boolean keepsAll) {
    this.random = random;
    this.keepsAll = keepsAll;
    this.state = state;
  }

  private static final class Died extends Error {
    private static final long serialVersionUID = 1L;
  }

  /// Somebody else changed the state, and lives.
  void changed(UnaryOperator<ClusterState> change) {
    state = change.apply(state);
  }

  /// What a leader does.
  interface Step {
    void run() throws Exception;
  }

  /// Whether the leader lives through it.
  static boolean survive(Step step) throws Exception {
    try {
      step.run();
      return true;
    } catch (Died _) {
      return false;
    }
  }

  /// Tasks that are done when they are started, or die with their leader.
  static Tasks atOnce() {
    return (Tasks)
        Proxy.newProxyInstance(
            Tasks.class.getClassLoader(),
            new Class<?>[] {Tasks.class},
            (proxy, method, arguments) -> {
              Broken.unless(
                  method.getName().equals("start"),
                  () -> "[%s] is asked of tasks".formatted(method));
              boolean _ = survive(() -> ((Tasks.Work) arguments[1]).run());
              return null;
            });
  }

  @Override
  public ClusterState current() {
    return state;
  }

  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
    int fate = random.nextInt(10);
    if (fate == 0) {
      throw new Died();
    }
    if (keepsAll && reason.startsWith(DELETION)) {
      return state;
    }
    state = change.apply(state);
    if (fate == 1) {
      state = change.apply(state); // its answer was lost, it is made again
    }
    if (fate == 2) {
      throw new Died();
    }
    return state;
  }

  @Override
  public void listen(Listener listener) {
    listener.changed(state, state);
  }

  /// An index that says what it was made of, with nothing in it, or what an attempt leaves that
  /// died.
  IndexMetadata coarser(IndexMetadata source, String target, DownsampleConfig as) {
    SortedMap<String, Object> settings = new TreeMap<>(source.settings());
    settings.put("index.creation_date", "0");
    settings.put("index.downsample.interval", as.text());
    settings.put("index.downsample.source.uuid", source.id().uuid());
    String uuid = "coarse-" + random.nextLong();
    for (String status : List.of("started", "success")) {
      settings.put("index.downsample.status", status);
      update(
          status,
          before -> {
            IndexMetadata there = before.indices().get(target);
            Broken.unless(
                there == null || there.id().uuid().equals(uuid),
                () -> "%s is made over another".formatted(target));
            return before.withIndex(
                CopiedSource.noted(
                    new IndexMetadata(
                        new IndexId(target, uuid),
                        source.shards(),
                        settings,
                        1,
                        source.mapping(),
                        1,
                        new TreeMap<>(),
                        true,
                        source.primaryTerms()),
                    source));
          });
    }
    return Objects.requireNonNull(state.indices().get(target));
  }
}
