package dev.holdfast.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.cluster.ClusterSetting;
import dev.holdfast.api.cluster.ClusterSettingNames;
import dev.holdfast.api.indices.settings.IndexSetting;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.info.SettingsDocument;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Settings are read, refused, or answered with a warning: none is taken in silence.
final class SettingDeclarationsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void theTableForPeopleIsCurrent() throws Exception {
    assertThat(Files.readString(ROOT.resolve("docs/settings.md")))
        .as("write it anew: SettingsDocument docs/settings.md")
        .isEqualTo(SettingsDocument.markdown());
  }

  @Test
  void whatIsDeclaredAsReadIsRead() throws Exception {
    for (ClusterSetting setting : ClusterSettingNames.KNOWN) {
      if (!setting.reader().isEmpty()) {
        requireReads(setting.reader(), setting.name());
      }
    }
    for (IndexSetting setting : IndexSettings.declared().values()) {
      if (!setting.reader().isEmpty()) {
        requireReads(setting.reader(), setting.name());
      }
    }
  }

  /// The source of the reader names the setting, or the family that it belongs to.
  private static void requireReads(String reader, String name) throws IOException {
    String source = source(reader);
    String short_ = name.startsWith("index.") ? name.substring("index.".length()) : name;
    boolean isNamed =
        source.contains("\"" + name + "\"")
            || source.contains("\"" + short_ + "\"")
            || (name.startsWith("index.blocks.") && source.contains("\"index.blocks.\""));
    assertThat(isNamed).as("%s reads %s", reader, name).isTrue();
  }

  private static String source(String simpleName) throws IOException {
    try (Stream<Path> rooms = Files.list(ROOT)) {
      for (Path room : rooms.sorted().toList()) {
        Path sources = room.resolve("src/main/java");
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            List<Path> found = files.filter(file -> file.endsWith(simpleName + ".java")).toList();
            if (!found.isEmpty()) {
              return Files.readString(found.getFirst());
            }
          }
        }
      }
    }
    throw new IOException("no class is called " + simpleName);
  }

  @Test
  void noSettingOfElasticsearchIsTakenInSilence() throws Exception {
    int read = 0;
    int idle = 0;
    int refused = 0;
    for (String name : names()) {
      IndexSetting index = IndexSettings.declared().get(name);
      ClusterSetting cluster =
          ClusterSettingNames.KNOWN.stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElse(null);
      if (index == null && cluster == null) {
        refused++;
      } else if (index == null ? !cluster.idle().isEmpty() : !index.idle().isEmpty()) {
        idle++;
      } else {
        read++;
      }
    }

    assertThat(read).isGreaterThan(50);
    assertThat(idle).isGreaterThan(90);
    assertThat(read + idle + refused).isEqualTo(names().size());
  }

  private static List<String> names() throws IOException {
    try (var in =
        Objects.requireNonNull(
            SettingDeclarationsTest.class.getResourceAsStream("elasticsearch-settings.txt"))) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .toList();
    }
  }

  @Test
  void misspeltMembersOfFamiliesAreRefused() {
    for (String name :
        List.of(
            "index.merge.banana",
            "index.translog.durabilty",
            "index.sort.feild",
            "index.mapping.x",
            "index.blocks.wirte",
            "index.store.x",
            "index.lifecycle.nam")) {
      TreeMap<String, Object> settings = new TreeMap<>();
      settings.put(name, "1");

      assertThatThrownBy(() -> IndexSettings.check(settings))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("unknown setting [" + name + "]");
    }
  }

  @Test
  void whatHasNoEffectIsSaid(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      HttpResponse<String> created =
          node.call(
              "PUT",
              "/books",
              "{\"settings\":{\"index.merge.policy.max_merge_at_once\":5,\"index.gc_deletes\":\"1m\",\"index.refresh_interval\":\"1s\"}}");
      HttpResponse<String> changed =
          node.call(
              "PUT",
              "/_cluster/settings",
              "{\"persistent\":{\"cluster.routing.allocation.enable\":\"none\",\"search.max_buckets\":99}}");
      HttpResponse<String> removed =
          node.call(
              "PUT",
              "/_cluster/settings",
              "{\"persistent\":{\"cluster.routing.allocation.enable\":null}}");

      assertThat(created.headers().allValues("Warning")).hasSize(2);
      assertThat(created.headers().allValues("Warning").toString())
          .contains("[index.gc_deletes]", "[index.merge.policy.max_merge_at_once]")
          .doesNotContain("refresh_interval");
      assertThat(changed.headers().allValues("Warning")).hasSize(1);
      assertThat(changed.headers().allValues("Warning").toString())
          .contains("cluster.routing.allocation.enable")
          .doesNotContain("max_buckets");
      assertThat(removed.headers().allValues("Warning")).isEmpty();
    }
  }
}
