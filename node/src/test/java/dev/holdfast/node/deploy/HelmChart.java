package dev.holdfast.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `deploy/helm`, as helm renders it.
public final class HelmChart {
  static final String CHART = "../deploy/helm";

  /// The version of the cluster that it is rendered for: helm's own default is older than what the
  /// chart asks for.
  static final String KUBERNETES = "1.35.0";

  private static final Duration COMMAND_MAX = Duration.ofSeconds(60);
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private HelmChart() {}

  /// What helm says.
  ///
  /// @param status that it must end with
  static String helm(int status, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(KubernetesCluster.program("helm").toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(COMMAND_MAX)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(status);
    return said;
  }

  /// The objects of a release in a namespace, with values as `--set` takes them.
  public static List<JsonNode> objects(String release, String namespace, String... values)
      throws Exception {
    List<JsonNode> objects = new ArrayList<>();
    for (String document : template(0, release, namespace, values).split("(?m)^---\n")) {
      JsonNode object = yaml(document);
      if (object.isObject()) {
        objects.add(object);
      }
    }
    return objects;
  }

  static String template(int status, String release, String namespace, String... values)
      throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of("template", release, CHART, "-n", namespace, "--kube-version", KUBERNETES));
    for (String value : values) {
      words.add("--set");
      words.add(value);
    }
    return helm(status, words.toArray(String[]::new));
  }

  static JsonNode yaml(String text) throws IOException {
    return YAML.readTree(text);
  }

  static JsonNode yaml(Path file) throws IOException {
    return YAML.readTree(file.toFile());
  }
}
