package dev.holdfast.provision;

import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import java.util.Collection;
import java.util.SortedMap;

/// Nothing is started or stopped: people, or what they run, read what is wanted.
final class NoProvisioner implements Provisioner {
  @Override
  public String name() {
    return "none";
  }

  @Override
  public void provision(SortedMap<Role, TierSize> wanted, Collection<Member> members) {
    // What is wanted is told by `GET /_holdfast/autoscaling/explain`.
  }
}
