package dev.holdfast.api.search.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.mustachejava.DefaultMustacheFactory;
import com.github.mustachejava.DefaultMustacheVisitor;
import com.github.mustachejava.Mustache;
import com.github.mustachejava.MustacheException;
import com.github.mustachejava.MustacheVisitor;
import com.github.mustachejava.TemplateContext;
import com.github.mustachejava.reflect.ReflectionObjectHandler;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.AccessibleObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Fills Mustache templates of JSON: values are escaped as JSON strings are; `toJson`, `join` and
/// `url` are functions.
final class MustacheText {
  private static final String JOIN = "join";

  private MustacheText() {}

  static String fill(String template, JsonNode params) {
    FilledText out = new FilledText();
    try {
      new Factory()
          .compile(new StringReader(template), "template")
          .execute(out, new Scope(params, new Rounds()))
          .flush();
    } catch (MustacheException e) {
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof Refusal refusal) {
          throw refusal;
        }
      }
      throw new Refusal(
          ErrorType.GENERAL_SCRIPT, "Failed to compile template: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  /// Mustache that sees parameters only, never their Java methods, nor files.
  private static final class Factory extends DefaultMustacheFactory {
    /// Sections in sections, for each of which it calls itself when it reads and when it fills.
    private static final int DEPTH_MAX = 100;

    private int depth;

    Factory() {
      setObjectHandler(
          new ReflectionObjectHandler() {
            @Override
            @SuppressWarnings("rawtypes") // as the overridden method has it
            protected @Nullable AccessibleObject findMember(Class type, String name) {
              return null;
            }
          });
    }

    /// Made for each section when it begins, and asked for what became of it when it ends.
    @Override
    public MustacheVisitor createMustacheVisitor() {
      if (++depth > DEPTH_MAX) {
        throw Refusal.badArgument(
            "sections of a template nest deeper than [" + (DEPTH_MAX - 1) + "]");
      }
      return new DefaultMustacheVisitor(this) {
        @Override
        public Mustache mustache(TemplateContext context) {
          depth--;
          return super.mustache(context);
        }
      };
    }

    /// Partials would be files of this machine.
    @Override
    public Reader getReader(String name) {
      throw Refusal.badArgument("templates have no partials: [" + name + "]");
    }

    @Override
    public void encode(String value, Writer writer) {
      try {
        writer.write(Json.escaped(value));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// The parameters and the functions.
  private static final class Scope extends HashMap<String, @Nullable Object> {
    private static final long serialVersionUID = 1L;

    private final transient JsonNode params;

    Scope(JsonNode params, Rounds rounds) {
      this.params = params;
      params.properties().forEach(param -> put(param.getKey(), value(param.getValue(), rounds)));
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return super.containsKey(key) || function(String.valueOf(key)) != null;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      Object own = super.get(key);
      return own == null ? function(String.valueOf(key)) : own;
    }

    private @Nullable Function<String, String> function(String name) {
      if (name.equals("toJson")) {
        return path -> String.valueOf(at(path.strip()));
      }
      if (name.equals("url")) {
        return text ->
            text.isEmpty()
                ? ""
                : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
      }
      if (name.equals(JOIN)) {
        return path -> joined(path, ",");
      }
      if (name.startsWith(JOIN + " delimiter=")) {
        String delimiter = name.substring(name.indexOf('=') + 1).strip();
        return path -> joined(path, delimiter.replaceAll("^['\"]|['\"]$", ""));
      }
      return null;
    }

    private String joined(String path, String delimiter) {
      JsonNode values = at(path.strip());
      if (!values.isArray()) {
        return values.isMissingNode() ? "" : values.asText();
      }
      StringBuilder joined = new StringBuilder();
      for (JsonNode value : values) {
        joined.append(joined.isEmpty() ? "" : delimiter).append(value.asText());
      }
      return joined.toString();
    }

    private JsonNode at(String path) {
      JsonNode found = params;
      for (String step : path.split("\\.", -1)) {
        found = found.isArray() ? found.path(index(step)) : found.path(step);
      }
      return found;
    }

    private static int index(String step) {
      try {
        return Integer.parseInt(step);
      } catch (NumberFormatException e) {
        return -1;
      }
    }
  }

  private static @Nullable Object value(JsonNode node, Rounds rounds) {
    if (node.isObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      node.properties()
          .forEach(member -> map.put(member.getKey(), value(member.getValue(), rounds)));
      return map;
    }
    if (node.isArray()) {
      return new Elements(node, rounds);
    }
    if (node.isNull()) {
      return null;
    }
    return node.isBoolean() ? (Object) node.booleanValue() : node.asText();
  }

  /// How often a template goes round: arrays in arrays of themselves write nothing and never end.
  private static final class Rounds {
    private static final long ROUNDS_MAX = 10_000_000;

    private long begun;

    /// @throws Refusal `illegal_argument_exception` when the template has gone round too often,
    ///   `task_cancelled_exception` when nobody waits for it
    void begin(int elements) {
      StopSignal.lookForCancelling();
      begun += 1L + elements;
      if (begun > ROUNDS_MAX) {
        throw Refusal.badArgument(
            "the template goes through more than [" + ROUNDS_MAX + "] elements of arrays");
      }
    }
  }

  /// An array: gone through element by element, or asked for one by its number.
  private static final class Elements extends AbstractMap<String, @Nullable Object>
      implements Iterable<@Nullable Object> {
    private final List<@Nullable Object> elements = new ArrayList<>();

    private final Rounds rounds;

    Elements(JsonNode array, Rounds rounds) {
      this.rounds = rounds;
      array.forEach(element -> elements.add(value(element, rounds)));
    }

    @Override
    public Iterator<@Nullable Object> iterator() {
      rounds.begin(elements.size());
      return elements.iterator();
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
      Set<Entry<String, @Nullable Object>> entries = new LinkedHashSet<>();
      for (int i = 0; i < elements.size(); i++) {
        entries.add(new SimpleImmutableEntry<>(String.valueOf(i), elements.get(i)));
      }
      entries.add(new SimpleImmutableEntry<>("size", elements.size()));
      return entries;
    }

    @Override
    public String toString() {
      return elements.toString();
    }
  }
}
