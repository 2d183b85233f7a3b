package dev.holdfast.api.info;

import dev.holdfast.api.cluster.ClusterSetting;
import dev.holdfast.api.cluster.ClusterSettingNames;
import dev.holdfast.api.indices.settings.IndexSetting;
import dev.holdfast.api.indices.settings.IndexSettingDefaults;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// The table of settings for people, made of their declarations.
public final class SettingsDocument {
  private SettingsDocument() {}

  /// Writes the table to a file (`docs/settings.md`).
  public static void main(String[] arguments) throws IOException {
    Files.writeString(Path.of(arguments[0]), markdown());
  }

  /// The whole document.
  public static String markdown() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Settings

        Made of the declarations in the code (`Setting`, `ClusterSettingNames`, `ReadIndexSettings`, `IdleIndexSettings`); a test says when it is out of date. What is in no table is refused,
        with the nearest name. What has no effect is taken, kept and shown, and each request that sets it is answered with a `Warning` header that gives the reason.

        ## Settings of a node, at its start

        On the command line (`-E name=value`; those without a dot also as `--name value`, `log.format` as `--log-format`), in the environment (`HOLDFAST_` and the name in capitals, `_` for dots and hyphens) or in a file of
        YAML (`--config FILE`, `HOLDFAST_CONFIG`, `holdfast.yml` where it is started); the first of these that names a setting wins. Given twice in one of them it is refused.
        One that means nothing beside the others is refused, or told of in the log where another node of the same file, or a repository of snapshots, may read it.

        | setting | also called | |
        |---|---|---|
        """);
    for (Setting one : Setting.ALL) {
      row(text, one.name(), shown(one.alias()), one.description().replace("|", "\\|"));
    }
    text.append(
        """

        ## Cluster settings that something reads

        | setting | type | default |
        |---|---|---|
        """);
    for (ClusterSetting one : cluster(true)) {
      row(text, one.name(), one.kind().label(), shown(one.byDefault()));
    }
    text.append(
        """

        ## Cluster settings without effect

        | setting | type | why |
        |---|---|---|
        """);
    for (ClusterSetting one : cluster(false)) {
      row(text, one.name(), one.kind().label(), one.idle());
    }
    text.append(
        """

        ## Index settings that something reads

        | setting | type | changes while open | default |
        |---|---|---|---|
        """);
    for (IndexSetting one : index(true)) {
      Object byDefault = IndexSettingDefaults.all().get(one.name());
      row(
          text,
          one.name(),
          one.type(),
          one.isDynamic() ? "yes" : "no",
          shown(byDefault == null ? "" : byDefault.toString()));
    }
    text.append(
        """

        Besides: `index.analysis.*`, `index.similarity.*`, `index.search.slowlog.*`, `index.indexing.slowlog.*`.

        ## Index settings without effect

        | setting | type | why |
        |---|---|---|
        """);
    for (IndexSetting one : index(false)) {
      row(text, one.name(), one.type(), one.idle());
    }
    return text.toString();
  }

  private static List<ClusterSetting> cluster(boolean isRead) {
    return ClusterSettingNames.KNOWN.stream()
        .filter(one -> one.idle().isEmpty() == isRead)
        .sorted(Comparator.comparing(ClusterSetting::name))
        .toList();
  }

  private static List<IndexSetting> index(boolean isRead) {
    return IndexSettings.declared().values().stream()
        .filter(one -> one.idle().isEmpty() == isRead)
        .toList();
  }

  private static String shown(String value) {
    return value.isEmpty() ? "" : "`" + value + "`";
  }

  private static void row(StringBuilder text, String name, String... cells) {
    text.append("| `").append(name).append("` |");
    for (String cell : cells) {
      text.append(' ').append(cell).append(" |");
    }
    text.append('\n');
  }
}
