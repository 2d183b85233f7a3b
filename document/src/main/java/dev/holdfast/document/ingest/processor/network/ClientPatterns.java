package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.holdfast.world.concurrent.RecentlyUsed;
import dev.holdfast.world.text.BoundedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One of the three lists of patterns by which programs, systems and devices are known by how they
/// call themselves: the first that is found decides. The lists are those of the library uap-java
/// (uap-core's definitions).
final class ClientPatterns {
  private static final String FILE = "/ua_parser/regexes.yaml";
  private static final int PARTS = 4;

  /// The same clients come again and again, and hundreds of patterns look at one that is not known:
  /// so many are remembered, within a part of the heap.
  private static final int REMEMBERED_MAX = 1_000;

  private static final int HEAP_SHARE = 1_024;
  private static final int ENTRY_BYTES = 200;

  /// What a text says of a program, a system or a device.
  ///
  /// @param version its parts between dots; null for none
  record Found(String name, @Nullable String version) {}

  /// @param name what it is called; null for the first group
  /// @param parts of the version; null for the group after the one before
  private record Rule(Pattern pattern, @Nullable String name, List<@Nullable String> parts) {}

  /// All three, read when the first is needed.
  static final class Lists {
    static final ClientPatterns PROGRAMS;
    static final ClientPatterns SYSTEMS;
    static final ClientPatterns DEVICES;

    static {
      try (InputStream file = ClientPatterns.class.getResourceAsStream(FILE)) {
        if (file == null) {
          throw new IllegalStateException("no " + FILE);
        }
        JsonNode all = new ObjectMapper(new YAMLFactory()).readTree(file);
        PROGRAMS = read(all.path("user_agent_parsers"), "family_replacement", "");
        SYSTEMS = read(all.path("os_parsers"), "os_replacement", "os_");
        DEVICES = read(all.path("device_parsers"), "device_replacement", "device_");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private Lists() {}
  }

  private final List<Rule> rules;
  private final RecentlyUsed<String, Answer> remembered =
      RecentlyUsed.ofHeap(REMEMBERED_MAX, HEAP_SHARE);

  /// @param found null when no rule knows the text
  private record Answer(@Nullable Found found) {}

  private ClientPatterns(List<Rule> rules) {
    this.rules = rules;
  }

  private static ClientPatterns read(JsonNode list, String name, String prefix) {
    List<Rule> rules = new ArrayList<>();
    for (JsonNode one : list) {
      List<@Nullable String> parts = new ArrayList<>();
      for (int part = 1; part <= PARTS; part++) {
        parts.add(text(one, prefix + "v" + part + "_replacement"));
      }
      int flags = "i".equals(text(one, "regex_flag")) ? Pattern.CASE_INSENSITIVE : 0;
      rules.add(
          new Rule(Pattern.compile(one.path("regex").asText(), flags), text(one, name), parts));
    }
    return new ClientPatterns(rules);
  }

  private static @Nullable String text(JsonNode of, String member) {
    return of.hasNonNull(member) ? of.get(member).asText() : null;
  }

  /// The first rule's answer; null when no rule knows the text.
  @Nullable Found find(String text) {
    Answer known = remembered.find(text);
    if (known == null) {
      known = new Answer(matched(text));
      remembered.keep(text, known, ENTRY_BYTES + 2L * text.length());
    }
    return known.found();
  }

  private @Nullable Found matched(String text) {
    BoundedText bounded = new BoundedText(text);
    for (Rule rule : rules) {
      Matcher matcher = rule.pattern().matcher(bounded);
      if (BoundedText.find(matcher)) {
        String name = rule.name() == null ? group(matcher, 1) : filled(rule.name(), matcher);
        return name == null ? null : new Found(name, version(rule, matcher));
      }
    }
    return null;
  }

  private static @Nullable String version(Rule rule, Matcher matcher) {
    StringBuilder version = new StringBuilder();
    for (int part = 0; part < PARTS; part++) {
      String given = rule.parts().get(part);
      String value = given == null ? group(matcher, part + 2) : filled(given, matcher);
      if (value == null || value.isEmpty()) {
        break;
      }
      version.append(part == 0 ? "" : ".").append(value);
    }
    return version.isEmpty() ? null : version.toString();
  }

  private static String filled(String template, Matcher matcher) {
    String filled = template;
    for (int number = 1; number <= matcher.groupCount() && filled.indexOf('$') >= 0; number++) {
      String value = group(matcher, number);
      filled = filled.replace("$" + number, value == null ? "" : value);
    }
    return filled.strip();
  }

  private static @Nullable String group(Matcher matcher, int number) {
    return number > matcher.groupCount() ? null : matcher.group(number);
  }
}
