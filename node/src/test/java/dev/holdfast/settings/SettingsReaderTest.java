package dev.holdfast.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.provision.KubernetesTiers;
import dev.holdfast.provision.ProvisionerSettings;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.script.runtime.RegexRule;
import dev.holdfast.world.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which of several sources wins, what is refused, and in which words.
final class SettingsReaderTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void hasTheDocumentedDefaults() {
    NodeSettings settings = read(Map.of(), Map.of());

    assertThat(settings).isEqualTo(NodeSettings.defaults(folder.resolve("data")));
    assertThat(settings.host()).isEqualTo("127.0.0.1");
    assertThat(settings.port()).isEqualTo(9200);
    assertThat(settings.store()).isEqualTo("file:" + folder.resolve("data/store"));
    assertThat(settings.roles()).containsExactly(Role.INDEX, Role.SEARCH, Role.PROXY);
    assertThat(settings.flavor()).isEqualTo(BuildFlavor.SERVERLESS);
    assertThat(settings.httpContentLengthMax()).isEqualTo(ByteSize.mib(100));
  }

  @Test
  void aStoreIsAskedAsMuchAsItIsSaidAndNoOtherwise() {
    assertThat(read(Map.of("store.probe", "brief"), Map.of()).storeOptions())
        .containsEntry("store.probe", "brief");
    assertThatThrownBy(() -> read(Map.of("store.probe", "none"), Map.of()))
        .hasMessageContaining("[store.probe]")
        .hasMessageContaining("it is one of full, brief");
  }

  @Test
  void whoStartsNodesNeedsWhatItWorksWith() {
    ProvisionerSettings processes =
        read(Map.of("autoscaling.provisioner", "process", "log.level", "warn"), Map.of())
            .provisioner();
    assertThat(processes.kind()).isEqualTo(ProvisionerSettings.Kind.PROCESS);
    assertThat(processes.folder()).isEqualTo(folder.resolve("data/elastic"));
    assertThat(processes.variables())
        .containsEntry("HOLDFAST_LOG_LEVEL", "warn")
        .containsEntry("HOLDFAST_STORE", "file:" + folder.resolve("data/store"));
    assertThat(processes.toString()).doesNotContain("warn");
    assertThatThrownBy(() -> read(Map.of("autoscaling.provisioner", "webhook"), Map.of()))
        .hasMessageContaining("needs [autoscaling.webhook.url]");
    assertThatThrownBy(() -> read(Map.of("autoscaling.webhook.url", "http://a/b"), Map.of()))
        .hasMessageContaining("has no effect without");
    assertThatThrownBy(
            () -> read(Map.of("autoscaling.provisioner", "process", "store", "memory:a"), Map.of()))
        .hasMessageContaining("a store that processes can share");
    assertThatThrownBy(() -> read(Map.of("autoscaling.process.folder", "a"), Map.of()))
        .hasMessageContaining("has no effect without [autoscaling.provisioner: process]");
    for (String url : new String[] {"a", "http:///b", "http://a/b c", "ftp://a"}) {
      assertThatThrownBy(() ->
              read(
                  Map.of("autoscaling.provisioner", "webhook", "autoscaling.webhook.url", url),
                  Map.of()))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("[autoscaling.webhook.url]");
    }
    assertThatThrownBy(() -> read(Map.of("autoscaling.provisioner", "k8s"), Map.of()))
        .hasMessageContaining("it is one of none, process, webhook");
  }

  /// It begins in the same folder, and had taken what lies there although this node had not.
  @Test
  void aNodeThatIsStartedReadsNoOtherFile() throws Exception {
    Path chosen = Files.writeString(folder.resolve("chosen.yml"), "log.level: warn\n");
    Files.writeString(folder.resolve("holdfast.yml"), "cluster.name: another\n");
    Map<String, String> process = Map.of("autoscaling.provisioner", "process");
    NodeSettings node = SettingsReader.read(process, Map.of(), chosen, folder);

    NodeSettings started =
        SettingsReader.read(Map.of(), node.provisioner().variables(), null, folder);

    assertThat(started.logLevel()).isEqualTo("warn");
    assertThat(started.clusterName()).isEqualTo(node.clusterName()).isNotEqualTo("another");
  }

  @Test
  void whoSetsReplicasNeedsTheirNames() {
    Map<String, String> given = new HashMap<>();
    given.put("autoscaling.provisioner", "kubernetes");
    refused(given, "needs [autoscaling.kubernetes.index]");
    given.put("autoscaling.kubernetes.index", "a-index");
    refused(given, "needs [autoscaling.kubernetes.search]");
    given.put("autoscaling.kubernetes.search", "a-index");
    refused(given, "name one StatefulSet");
    given.put("autoscaling.kubernetes.search", "a-search");
    KubernetesTiers tiers = read(given, Map.of()).provisioner().kubernetes();
    assertThat(tiers.sets()).containsEntry(Role.INDEX, "a-index");
    assertThat(tiers.url()).isEqualTo("https://kubernetes.default.svc");
    assertThat(tiers.credentials()).hasToString("/var/run/secrets/kubernetes.io/serviceaccount");

    given.put("autoscaling.kubernetes.url", "https://10.0.0.1:6443/");
    assertThat(read(given, Map.of()).provisioner().kubernetes().url())
        .isEqualTo("https://10.0.0.1:6443");
    for (String url : List.of("http://a", "https://", "a b", "https://a?b", "https://u:p@a", "")) {
      given.put("autoscaling.kubernetes.url", url);
      refused(given, "[autoscaling.kubernetes.url]");
    }
    given.remove("autoscaling.kubernetes.url");
    given.put("autoscaling.kubernetes.namespace", "a/b");
    refused(given, "it is no name of Kubernetes");
    given.remove("autoscaling.kubernetes.namespace");
    given.put("autoscaling.kubernetes.index", "a/../b");
    refused(given, "it is no name of Kubernetes");
    given.put("autoscaling.kubernetes.index", "a-index");
    given.put("store", "memory:a");
    refused(given, "kubernetes] needs a store that processes can share");
    for (String name : List.of("index", "search", "namespace", "url", "credentials")) {
      refused(
          Map.of("autoscaling.kubernetes." + name, "a"),
          "has no effect without [autoscaling.provisioner: kubernetes]");
    }
  }

  private void refused(Map<String, String> given, String why) {
    assertThatThrownBy(() -> read(given, Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(why);
  }

  @Test
  void readsWhatANodeAllowsScripts() {
    ScriptRules rules =
        read(
                Map.of(
                    "script.allowed_types", "stored",
                    "script.allowed_contexts", "score,update",
                    "script.cache.max_size", "7",
                    "script.cache.expire", "5m",
                    "script.painless.regex.limit-factor", "9"),
                Map.of())
            .scripts();

    assertThat(rules)
        .isEqualTo(
            new ScriptRules(
                Set.of("stored"),
                Set.of("score", "update"),
                7,
                Duration.ofMinutes(5),
                new RegexRule(true, 9)));
    assertThatThrownBy(() -> read(Map.of("script.allowed_types", "some"), Map.of()))
        .hasMessageContaining("it is both, none, or of inline and stored");
    assertThatThrownBy(() -> read(Map.of("script.painless.regex.enabled", "maybe"), Map.of()))
        .hasMessageContaining("it is one of limited, true, false");
  }

  @ParameterizedTest
  @CsvSource({
    "9201, 9202, 9203, 9201",
    "9201,     ,     , 9201",
    "    , 9202, 9203, 9202",
    "    ,     , 9203, 9203",
    "    ,     ,     , 9200"
  })
  void theCommandLineWinsThenTheEnvironmentThenTheFile(
      String commandLine, String environment, String file, int expected) throws Exception {
    if (file != null) {
      Files.writeString(folder.resolve("holdfast.yml"), "port: " + file + "\n");
    }

    NodeSettings settings =
        read(
            commandLine == null ? Map.of() : Map.of("port", commandLine),
            environment == null ? Map.of() : Map.of("HOLDFAST_PORT", environment));

    assertThat(settings.port()).isEqualTo(expected);
  }

  @Test
  void readsNestedFilesListsAndElasticsearchsNames() throws Exception {
    Path file = folder.resolve("mine.yml");
    Files.writeString(
        file,
        """
        cluster:
          name: rocks
        node.roles: [index, search]
        http.port: 9999
        store.s3:
          endpoint: http://127.0.0.1:9000
        """);

    NodeSettings settings = SettingsReader.read(Map.of(), Map.of(), file, folder);

    assertThat(settings.clusterName()).isEqualTo("rocks");
    assertThat(settings.port()).isEqualTo(9999);
    assertThat(settings.storeOptions())
        .containsExactly(Map.entry("store.s3.endpoint", "http://127.0.0.1:9000"));
  }

  @Test
  void leavesTheVariablesOfContainerPlatformsAlone() {
    NodeSettings settings =
        read(
            Map.of(),
            Map.of("HOLDFAST_PORT", "tcp://10.0.0.1:9200", "HOLDFAST_SERVICE_HOST", "10.0.0.1"));

    assertThat(settings.port()).isEqualTo(9200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node.nam | x | unknown setting [node.nam] on the command line, did you mean"
            + " [node.name]?",
        "zzzzzzzzzzz | x | unknown setting [zzzzzzzzzzz] on the command line",
        "port | x | bad value [x] of setting [port] on the command line: it is no number",
        "host | 999.1.1.1 | bad value [999.1.1.1] of setting [host] on the command line: no address"
            + " has that name",
        "port | 70000 | bad value [70000] of setting [port] on the command line: a port is between"
            + " 0 and 65535",
        "store | ftp://x | bad value [ftp://x] of setting [store] on the command line: unknown kind"
            + " of store [ftp://x]: use file:path, s3://bucket/prefix, gs://bucket/prefix,"
            + " az://container/prefix or memory:",
        "store | s3:// | bad value [s3://] of setting [store] on the command line: the store's URL"
            + " [s3://] names no bucket",
        "roles | cook | bad value [cook] of setting [roles] on the command line: roles are all,"
            + " index, search, proxy",
        "heap | much | bad value [much] of setting [heap] on the command line: it is no size, for"
            + " example 1g",
        "heap | 1m | bad value [1m] of setting [heap] on the command line: the heap is at least"
            + " 128mb",
        "store.s3.path_style | yes | bad value [yes] of setting [store.s3.path_style] on the"
            + " command line: it is one of true, false",
        "flavor | defalt | bad value [defalt] of setting [flavor] on the command line: it is one of"
            + " serverless, default, did you mean [default]?"
      })
  void refusesInOneLineWhatItCannotUse(String name, String value, String message) {
    assertThatThrownBy(() -> read(Map.of(name, value), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessage(message);
  }

  @Test
  void saysWhichFileIsWrong() throws Exception {
    Path file = folder.resolve("holdfast.yml");
    Files.writeString(file, "port: [");

    assertThatThrownBy(() -> read(Map.of(), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith(file + " is no YAML: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "port: 9201\nport: 9202",
        "port: 9201\nhttp.port: 9202",
        "http:\n  port: 9201\nhttp.port: 9202"
      })
  void refusesASettingThatIsGivenTwice(String text) throws Exception {
    Files.writeString(folder.resolve("holdfast.yml"), text);

    assertThatThrownBy(() -> read(Map.of(), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageMatching("(?i).*(twice|duplicate field 'port').*");
  }

  @Test
  void refusesASettingThatTheCommandLineGivesTwice() {
    assertThatThrownBy(() -> read(Map.of("port", "9201", "http.port", "9202"), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessage("setting [port] is given twice on the command line");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node.name: | setting [node.name] has no value in ",
        "roles: [index, [search]] | setting [roles] is a list of values in ",
        "port: 9201\\n---\\nport: 9202 | holds more than one document"
      })
  void refusesAFileOfWhichItWouldLeaveOutAPart(String text, String message) throws Exception {
    Files.writeString(folder.resolve("holdfast.yml"), text.translateEscapes());

    assertThatThrownBy(() -> read(Map.of(), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(message);
  }

  @Test
  void saysWhyAFileCannotBeRead() {
    for (Map.Entry<String, String> wrong :
        Map.of("", "is empty", "gone.yml", "it does not exist", folder.toString(), "it is a folder")
            .entrySet()) {
      assertThatThrownBy(() -> read(Map.of(), Map.of("HOLDFAST_CONFIG", wrong.getKey())))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining(wrong.getValue());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.4:9200", "http://a", "_site_", "0.0.0.0", "::", "[fd00::4]", "a b", "a,b"})
  void whatOthersCannotReachIsNotPublished(String host) {
    assertThatThrownBy(() -> read(Map.of("network.publish_host", host), Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageEndingWith("it is not the name or the address of one host, without a port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.4", "node-1.example.org", "fd00::4", "::ffff:10.0.0.4", ""})
  void oneHostIsPublished(String host) {
    NetworkSettings networking = read(Map.of("network.publish_host", host), Map.of()).networking();
    assertThat(networking.publishHost()).isEqualTo(host);
  }

  /// Not the folder in which it is started, with all that is in it.
  @Test
  void aFolderWithoutANameIsNone() {
    assertThatThrownBy(() -> read(Map.of(), Map.of("HOLDFAST_DATA", "")))
        .hasMessage("bad value [] of setting [data] in HOLDFAST_DATA: it is empty");
  }

  @Test
  void namesVariablesThatAreNoSettings() {
    assertThat(
            SettingsReader.doubtful(
                Map.of(
                    "HOLDFAST_STOR", "s3://bucket",
                    "HOLDFAST_STORE", "s3://bucket",
                    "HOLDFAST_JAVA_OPTS", "-Xint",
                    "HOLDFAST_SERVICE_HOST", "10.0.0.1",
                    "HOLDFAST_PORT_9200_TCP_ADDR", "10.0.0.1",
                    "HOLDFAST_SEARCH_SERVICE_PORT_HTTP", "9200",
                    "HOLDFAST_SEARCH_PORT", "tcp://10.0.0.1:9200",
                    "HOME", "/root")))
        .containsExactly(
            "[HOLDFAST_STOR] in the environment is no setting, did you mean [HOLDFAST_STORE]?");
  }

  private NodeSettings read(Map<String, String> commandLine, Map<String, String> environment) {
    return SettingsReader.read(commandLine, environment, null, folder);
  }
}
