package dev.holdfast.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.holdfast.world.Suggestions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Collects settings from the command line, the environment and a file; the first of these that
/// names a setting wins. Unknown names are refused, but for the environment, where others may put
/// what they like.
public final class SettingsReader {
  private static final String FILE_BY_DEFAULT = "holdfast.yml";
  private static final String COMMAND_LINE = "on the command line";
  static final String FILE_VARIABLE = "HOLDFAST_CONFIG";

  /// A file without settings, for a node that shall not look for one.
  static final String NO_FILE = "/dev/null";

  /// What container platforms put into variables of a service's name.
  private static final String SERVICE_LINK = "tcp://";

  private static final Pattern SERVICE_LINKS =
      Pattern.compile("HOLDFAST_(\\w+_)?(SERVICE_(HOST|PORT).*|PORT(_[0-9]+_(TCP|UDP).*)?)");

  /// Of OpenTelemetry: all programs read them.
  static final String SHARED_VARIABLES = "OTEL_";

  private static final String VARIABLES = "HOLDFAST_";

  /// Read by the launcher, the tools and the tests.
  private static final List<String> OTHER_VARIABLES =
      List.of(FILE_VARIABLE, "HOLDFAST_JAVA_OPTS", "HOLDFAST_HEAP_DUMPS", "HOLDFAST_TOOLS");

  private SettingsReader() {}

  /// @param commandLine by name, as after `--` and `-E`
  /// @param file of `--config`, or null: then `HOLDFAST_CONFIG`, else `holdfast.yml` in `folder` if
  ///   there is one
  /// @throws SettingsException in one line
  public static NodeSettings read(
      Map<String, String> commandLine,
      Map<String, String> environment,
      @Nullable Path file,
      Path folder) {
    Map<String, Given> given = new LinkedHashMap<>();
    commandLine.forEach((name, value) -> {
      if (given.containsKey(canonical(name, COMMAND_LINE))) {
        throw SettingsException.twice(canonical(name, COMMAND_LINE), COMMAND_LINE);
      }
      add(given, name, value, COMMAND_LINE);
    });
    for (Setting setting : Setting.ALL) {
      String value = environment.get(setting.variable());
      if (value != null && !value.startsWith(SERVICE_LINK)) {
        add(given, setting.name(), value, "in " + setting.variable());
      }
    }
    Setting.SHARED.forEach((variable, name) -> {
      String value = environment.get(variable);
      if (value != null) {
        add(given, name, value, "in " + variable);
      }
    });
    Path chosen = file(file, environment, folder);
    if (chosen != null && !chosen.equals(Path.of(NO_FILE))) {
      fromFile(chosen).forEach((name, value) -> add(given, name, value, "in " + chosen));
    }
    return new SettingsParser(given, folder).parse();
  }

  /// A value and where it came from, for messages.
  record Given(String value, String origin) {}

  private static void add(Map<String, Given> given, String name, String value, String origin) {
    given.putIfAbsent(canonical(name, origin), new Given(value.trim(), origin));
  }

  private static String canonical(String name, String origin) {
    List<String> known = new ArrayList<>();
    for (Setting setting : Setting.ALL) {
      if (name.equals(setting.name()) || name.equals(setting.alias())) {
        return setting.name();
      }
      known.add(setting.name());
    }
    String unknown = "unknown setting [" + name + "] " + origin;
    throw new SettingsException(
        Suggestions.near(name, known).isEmpty()
            ? unknown
            : Suggestions.didYouMean(unknown + ",", name, known));
  }

  private static @Nullable Path file(
      @Nullable Path file, Map<String, String> environment, Path folder) {
    String variable = environment.get(FILE_VARIABLE);
    if (file != null) {
      return file;
    }
    if (variable != null) {
      if (variable.isBlank()) {
        throw new SettingsException(FILE_VARIABLE + " is empty: it names the file of settings");
      }
      return Path.of(variable);
    }
    Path byDefault = folder.resolve(FILE_BY_DEFAULT);
    return Files.exists(byDefault) ? byDefault : null;
  }

  private static Map<String, String> fromFile(Path file) {
    Map<String, String> flat = new LinkedHashMap<>();
    try {
      JsonNode tree =
          YAMLMapper.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
              .build()
              .readTree(file.toFile());
      if (tree.isObject()) {
        flatten(file, "", tree, flat);
      } else if (!tree.isMissingNode() && !tree.isNull()) {
        throw new SettingsException(file + " does not hold settings: expected name: value");
      }
    } catch (MismatchedInputException e) {
      throw new SettingsException(file + " holds more than one document, settings are one");
    } catch (JsonProcessingException e) {
      throw new SettingsException(
          file
              + " is no YAML: "
              + String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw new SettingsException("cannot read the settings file " + file + ": " + why(file));
    }
    return flat;
  }

  private static String why(Path file) {
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    return Files.exists(file) ? "this user may not read it" : "it does not exist";
  }

  private static void flatten(Path file, String prefix, JsonNode object, Map<String, String> flat) {
    object
        .properties()
        .forEach(member -> {
          String name = prefix + member.getKey();
          JsonNode value = member.getValue();
          if (value.isObject()) {
            flatten(file, name + ".", value, flat);
          } else if (value.isNull()) {
            throw new SettingsException(
                "setting [" + canonical(name, "in " + file) + "] has no value in " + file);
          } else if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(part -> parts.add(text(file, name, part)));
            once(file, flat, name, String.join(",", parts));
          } else {
            once(file, flat, name, value.asText());
          }
        });
  }

  private static String text(Path file, String name, JsonNode part) {
    if (part.isContainerNode() || part.isNull()) {
      throw new SettingsException("setting [" + name + "] is a list of values in " + file);
    }
    return part.asText();
  }

  private static void once(Path file, Map<String, String> flat, String name, String value) {
    String setting = canonical(name, "in " + file);
    if (flat.putIfAbsent(setting, value) != null) {
      throw SettingsException.twice(setting, "in " + file);
    }
  }

  /// Variables that look like settings and are none: a misspelt one would have no effect.
  ///
  /// @return a line each; nothing of what container platforms put there
  public static List<String> doubtful(Map<String, String> environment) {
    List<String> known = new ArrayList<>(OTHER_VARIABLES);
    Setting.ALL.forEach(setting -> known.add(setting.variable()));
    return environment.keySet().stream()
        .filter(name -> name.startsWith(VARIABLES) && !known.contains(name))
        .filter(name -> !SERVICE_LINKS.matcher(name).matches())
        .sorted()
        .map(name -> noSetting(name, known))
        .toList();
  }

  private static String noSetting(String name, List<String> known) {
    List<String> near =
        Suggestions.near(
            name.substring(VARIABLES.length()),
            known.stream().map(one -> one.substring(VARIABLES.length())).toList());
    return "["
        + name
        + "] in the environment is no setting"
        + (near.isEmpty() ? "" : ", did you mean [" + VARIABLES + near.getFirst() + "]?");
  }
}
