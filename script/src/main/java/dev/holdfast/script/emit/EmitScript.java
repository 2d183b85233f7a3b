package dev.holdfast.script.emit;

import dev.holdfast.script.context.DocScript;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A script that gives the values of a field in a document, as many as it likes within a limit.
public abstract class EmitScript extends DocScript {
  /// Values of a document.
  static final int VALUES_MAX = 100;

  /// What a script may ask of its field.
  public interface Host {
    /// The name of the field, for messages.
    String field();

    /// Milliseconds of a text in the formats of the field.
    long date(String text);

    /// @throws IllegalArgumentException for what is no pattern
    NamedGroups grok(String pattern);

    /// @throws IllegalArgumentException for what is no pattern
    NamedGroups dissect(String pattern);
  }

  private long[] bits = new long[4];
  private int size;
  private @Nullable Host host;
  private final Map<String, NamedGroups> patterns = new HashMap<>();

  protected EmitScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  /// @param base with an `emit`
  static Shape shape(String name, Class<? extends EmitScript> base, String... functions) {
    List<String> all = new ArrayList<>(FUNCTIONS);
    all.addAll(List.of("emit", "grok", "dissect"));
    all.addAll(List.of(functions));
    return Shape.of(name, base, List.of(), VARIABLES, all);
  }

  public final void of(Host given) {
    host = given;
  }

  /// Runs on a document: what it emitted can be asked for until the next.
  public final void run(int document) {
    size = 0;
    clear();
    moveTo(document);
    execute();
  }

  public abstract void execute();

  /// Forgets texts and objects of the document before.
  void clear() {}

  /// Numbers that were emitted; two for each point, latitude and longitude.
  public final int size() {
    return size;
  }

  /// A number that was emitted: a long, the bits of a double, or 0 and 1.
  public final long bits(int index) {
    return bits[index];
  }

  final void add(long value) {
    if (size == bits.length) {
      bits = Arrays.copyOf(bits, 2 * size);
    }
    bits[size++] = value;
  }

  public final NamedGroups grok(String pattern) {
    return patterns.computeIfAbsent("grok " + pattern, _ -> host().grok(pattern));
  }

  public final NamedGroups dissect(String pattern) {
    return patterns.computeIfAbsent("dissect " + pattern, _ -> host().dissect(pattern));
  }

  final Host host() {
    if (host == null) {
      throw new IllegalStateException("a script of a field that is given none");
    }
    return host;
  }

  /// @param values that there are by now
  final void requireFew(int values) {
    if (values >= VALUES_MAX) {
      throw new IllegalArgumentException(
          "Runtime field ["
              + host().field()
              + "] is emitting ["
              + (values + 1)
              + "] values while the maximum number of values allowed is ["
              + VALUES_MAX
              + "]");
    }
  }
}
