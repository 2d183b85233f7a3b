package dev.holdfast.provision;

import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Who makes tiers larger and smaller, and with what.
///
/// @param kind the setting `autoscaling.provisioner`
/// @param webhook URL that is told the sizes; empty unless `kind` is WEBHOOK
/// @param kubernetes where the tiers are; none unless `kind` is KUBERNETES
/// @param folder where processes that are started keep their data, the same for all nodes of a
///   machine
/// @param node the name of this node
/// @param variables environment of a node that is as this one: its settings, secrets among them
public record ProvisionerSettings(
    Kind kind,
    String webhook,
    KubernetesTiers kubernetes,
    Path folder,
    String node,
    SortedMap<String, String> variables) {
  /// The provisioners.
  public enum Kind {
    NONE,
    PROCESS,
    WEBHOOK,
    KUBERNETES
  }

  public ProvisionerSettings {
    variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
  }

  /// Nobody.
  public static ProvisionerSettings none() {
    return new ProvisionerSettings(
        Kind.NONE, "", KubernetesTiers.none(), Path.of(""), "", new TreeMap<>());
  }

  /// Without the values of settings, which hold secrets.
  @Override
  public String toString() {
    return "ProvisionerSettings[kind=" + kind + ", variables=" + variables.keySet() + "]";
  }
}
