package dev.holdfast.provision;

import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Begun;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sets how many replicas two StatefulSets of a Kubernetes cluster have; who goes first when there
/// are fewer (the highest number), and when it goes (SIGTERM), is the cluster's.
///
/// What the cluster's API takes does not hold up decisions: each look at it runs on a thread of its
/// own, one at a time, and what went wrong is told with the next call. A change is of what was seen
/// just before; when somebody else was faster there is another look. That only the leader writes is
/// who calls this: one that does not know yet that another leads may write once more, and is
/// corrected within seconds.
final class KubernetesProvisioner implements Provisioner {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesProvisioner.class);

  /// Two tiers, a read and a change each, of 5 s at most.
  private static final Duration LOOK_MAX = Duration.ofSeconds(25);

  /// What was seen longer ago is not known: another leader may have changed it.
  private static final Duration SEEN_MAX = Duration.ofSeconds(15);

  /// After a look that failed; doubled with each that fails again.
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final int PAUSE_DOUBLINGS = 4;

  private final World world;
  private final KubernetesTiers tiers;
  private final KubernetesApi api;

  /// Replicas by tier; none of a tier: it is only looked at.
  private volatile SortedMap<Role, Integer> latest = new TreeMap<>();

  // Guarded by this.
  private @Nullable Begun<Seen> look;
  private long lookNanos;
  private @Nullable SortedMap<Role, Integer> meant;
  private long meantNanos;
  private String failure = "";
  private int failures;
  private long pauseEndNanos;
  private boolean isClosed;

  /// What one look saw and did.
  ///
  /// @param meant by tier, of those that answered
  private record Seen(SortedMap<Role, Integer> meant, @Nullable KubernetesFailure failure) {}

  KubernetesProvisioner(KubernetesTiers tiers, World world) {
    this.world = world;
    this.tiers = tiers;
    this.api = new KubernetesApi(tiers);
    this.pauseEndNanos = world.clock().nanoTime();
  }

  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public synchronized Optional<SortedMap<Role, Integer>> meant() throws IOException {
    collect();
    if (meant != null && world.clock().nanoTime() - meantNanos < SEEN_MAX.toNanos()) {
      return Optional.of(meant);
    }
    begin(new TreeMap<>());
    tell();
    return Optional.empty();
  }

  @Override
  public synchronized void provision(SortedMap<Role, TierSize> wanted, Collection<Member> members)
      throws IOException {
    collect();
    SortedMap<Role, Integer> replicas = new TreeMap<>();
    wanted.forEach((tier, size) -> replicas.put(tier, size.nodes()));
    begin(replicas);
    tell();
  }

  private void tell() throws IOException {
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }

  /// A look that is under way takes it up.
  private void begin(SortedMap<Role, Integer> wanted) {
    latest = wanted;
    long now = world.clock().nanoTime();
    if (!isClosed && look == null && now - pauseEndNanos >= 0) {
      lookNanos = now;
      look = Begun.of(world, "kubernetes", this::look);
    }
  }

  /// Takes what the look that was begun has to tell, if it has ended.
  private void collect() {
    if (look == null) {
      return;
    }
    long now = world.clock().nanoTime();
    if (!look.isDone()) {
      if (now - lookNanos > LOOK_MAX.toNanos()) {
        look.cancel();
        look = null;
        failed(
            new KubernetesFailure(
                "[" + tiers.url() + "] did not answer within " + LOOK_MAX.toSeconds() + " s"));
      }
      return;
    }
    try {
      Seen seen = look.value();
      if (seen.failure() == null) {
        meant = seen.meant();
        meantNanos = now;
        failure = "";
        failures = 0;
      } else {
        failed(seen.failure());
      }
    } catch (ExecutionException e) {
      failed(new KubernetesFailure(String.valueOf(e.getCause())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    look = null;
  }

  private void failed(KubernetesFailure why) {
    failure = String.valueOf(why.getMessage());
    if (!why.isConflict()) {
      Duration pause = PAUSE.multipliedBy(1L << failures);
      failures = Math.min(failures + 1, PAUSE_DOUBLINGS);
      pause = pause.compareTo(why.pause()) < 0 ? why.pause() : pause;
      pauseEndNanos = world.clock().nanoTime() + pause.toNanos();
    }
  }

  private Seen look() throws InterruptedException {
    while (true) {
      SortedMap<Role, Integer> wanted = latest;
      Seen seen = look(wanted);
      if (seen.failure() != null || wanted.equals(latest)) {
        return seen;
      }
    }
  }

  /// A tier that fails keeps no other from its size.
  private Seen look(SortedMap<Role, Integer> wanted) throws InterruptedException {
    SortedMap<Role, Integer> now = new TreeMap<>();
    KubernetesFailure failed = null;
    for (Map.Entry<Role, String> tier : tiers.sets().entrySet()) {
      try {
        KubernetesApi.Scale scale = api.read(tier.getValue());
        int its = wanted.getOrDefault(tier.getKey(), scale.replicas());
        if (its != scale.replicas()) {
          KubernetesApi.Scale changed = api.change(tier.getValue(), scale, its);
          LOG.info(
              "a StatefulSet has another number of replicas [name={}, from={}, to={}]",
              tier.getValue(),
              scale.replicas(),
              changed.replicas());
        }
        now.put(tier.getKey(), its);
      } catch (KubernetesFailure e) {
        failed = e;
      } catch (IOException e) {
        failed = new KubernetesFailure(String.valueOf(e.getMessage()));
      }
    }
    return new Seen(now, failed);
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (look != null) {
      look.cancel();
      look = null;
    }
    api.close();
  }
}
