package dev.holdfast.provision;

import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.world.World;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What starts and stops nodes. Only the leader's is asked, every few seconds and with the newest
/// sizes, so that a call need not wait for what it began.
public interface Provisioner extends Closeable {
  /// As the setting `autoscaling.provisioner` says it.
  String name();

  /// How many nodes tiers are meant to have, as far as who starts them remembers it: what a new
  /// leader begins with, rather than with those that have come by then. Of others nothing is
  /// remembered. Empty when that is not known yet: ask again.
  ///
  /// @throws IOException when it cannot be known for now, with a reason for people
  default Optional<SortedMap<Role, Integer>> meant() throws IOException {
    return Optional.of(new TreeMap<>());
  }

  /// Takes a step towards the sizes.
  ///
  /// @param wanted by tier
  /// @param members of the cluster now
  /// @throws IOException when nothing could be done, with a reason for people; asked again later
  void provision(SortedMap<Role, TierSize> wanted, Collection<Member> members)
      throws IOException, InterruptedException;

  /// Nothing is started any more; may be called again.
  @Override
  default void close() throws IOException {
    // Most hold nothing.
  }

  /// The one that the settings name.
  static Provisioner of(ProvisionerSettings settings, World world) {
    return switch (settings.kind()) {
      case NONE -> new NoProvisioner();
      case PROCESS -> new ProcessProvisioner(settings);
      case WEBHOOK -> new WebhookProvisioner(settings.webhook());
      case KUBERNETES -> new KubernetesProvisioner(settings.kubernetes(), world);
    };
  }
}
