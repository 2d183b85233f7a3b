package dev.holdfast.provision;

import dev.holdfast.clusterstate.Role;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Where the tiers are StatefulSets, and what to speak to their cluster with.
///
/// @param url of the API server, `https://…`
/// @param credentials folder with `token`, `ca.crt` and, unless it is said, `namespace`, as pods
///   have it; read anew for each look, since tokens are short-lived
/// @param namespace empty for that of `credentials`
/// @param sets name of the StatefulSet of each tier
public record KubernetesTiers(
    String url, Path credentials, String namespace, SortedMap<Role, String> sets) {
  /// As each pod reaches it.
  public static final String URL = "https://kubernetes.default.svc";

  public static final String CREDENTIALS = "/var/run/secrets/kubernetes.io/serviceaccount";

  public KubernetesTiers {
    sets = Collections.unmodifiableSortedMap(new TreeMap<>(sets));
  }

  /// No cluster.
  public static KubernetesTiers none() {
    return new KubernetesTiers("", Path.of(""), "", new TreeMap<>());
  }
}
