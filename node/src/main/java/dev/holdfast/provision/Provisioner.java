package dev.holdfast.provision;

import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.SortedMap;

/// What starts and stops nodes. Only the leader's is asked, every few seconds and with the newest
/// sizes, so that a call need not wait for what it began.
public interface Provisioner extends Closeable {
  /// As the setting `autoscaling.provisioner` says it.
  String name();

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
  static Provisioner of(ProvisionerSettings settings) {
    return switch (settings.kind()) {
      case NONE -> new NoProvisioner();
      case PROCESS -> new ProcessProvisioner(settings);
      case WEBHOOK -> new WebhookProvisioner(settings.webhook());
    };
  }
}
