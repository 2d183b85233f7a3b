package dev.holdfast.settings;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.provision.KubernetesTiers;
import java.net.URI;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The settings `autoscaling.kubernetes.*`.
///
/// @param parser of all settings
record KubernetesSettings(SettingsParser parser) {
  private static final List<String> NAMES =
      List.of(
          Setting.KUBERNETES_INDEX,
          Setting.KUBERNETES_SEARCH,
          Setting.KUBERNETES_NAMESPACE,
          Setting.KUBERNETES_URL,
          Setting.KUBERNETES_CREDENTIALS);

  private static final String IT = "[" + Setting.PROVISIONER + ": kubernetes]";

  /// @param isOn whether it is the provisioner
  KubernetesTiers tiers(boolean isOn) {
    if (!isOn) {
      for (String name : NAMES) {
        if (parser.isGiven(name)) {
          throw new SettingsException("setting [" + name + "] has no effect without " + IT);
        }
      }
      return KubernetesTiers.none();
    }
    SortedMap<Role, String> sets = new TreeMap<>();
    sets.put(Role.INDEX, set(Setting.KUBERNETES_INDEX));
    sets.put(Role.SEARCH, set(Setting.KUBERNETES_SEARCH));
    if (sets.get(Role.INDEX).equals(sets.get(Role.SEARCH))) {
      throw new SettingsException(
          "settings ["
              + Setting.KUBERNETES_INDEX
              + "] and ["
              + Setting.KUBERNETES_SEARCH
              + "] name one StatefulSet: the tiers have sizes of their own");
    }
    return new KubernetesTiers(
        parser.value(Setting.KUBERNETES_URL, KubernetesTiers.URL, KubernetesSettings::url),
        parser.value(Setting.KUBERNETES_CREDENTIALS, KubernetesTiers.CREDENTIALS, parser::within),
        parser.value(
            Setting.KUBERNETES_NAMESPACE,
            "",
            text -> text.isEmpty() ? text : name(text, "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")),
        sets);
  }

  private String set(String name) {
    if (!parser.isGiven(name)) {
      throw new SettingsException("setting " + IT + " needs [" + name + "]");
    }
    return parser.value(name, "", text -> name(text, "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?"));
  }

  private static String name(String text, String pattern) {
    if (!text.matches(pattern)) {
      throw new IllegalArgumentException("it is no name of Kubernetes");
    }
    return text;
  }

  private static String url(String text) {
    URI url = URI.create(text);
    boolean isPlain =
        url.getQuery() == null && url.getFragment() == null && url.getUserInfo() == null;
    if (!"https".equals(url.getScheme()) || url.getHost() == null || !isPlain) {
      throw new IllegalArgumentException("it is no https URL");
    }
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
