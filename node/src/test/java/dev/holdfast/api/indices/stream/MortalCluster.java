package dev.holdfast.api.indices.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.indices.downsample.DownsampleConfig;
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
  private final Random random;
  private ClusterState state;

  MortalCluster(Random random, ClusterState state) {
    this.random = random;
    this.state = state;
  }

  private static final class Died extends Error {
    private static final long serialVersionUID = 1L;
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
              assertThat(method.getName()).isEqualTo("start");
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
            assertThat(there == null || there.id().uuid().equals(uuid))
                .as("%s is made over another", target)
                .isTrue();
            return before.withIndex(
                new IndexMetadata(
                    new IndexId(target, uuid),
                    source.shards(),
                    settings,
                    1,
                    source.mapping(),
                    1,
                    new TreeMap<>(),
                    true,
                    source.primaryTerms()));
          });
    }
    return Objects.requireNonNull(state.indices().get(target));
  }
}
