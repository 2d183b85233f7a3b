package dev.holdfast.script.context;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.value.DocValuesOfField;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A script that runs on documents of a segment, one after the other.
public abstract class DocScript extends Script {
  /// Variables and functions that all such scripts have.
  protected static final List<String> VARIABLES = List.of("params", "doc");

  protected static final List<String> FUNCTIONS = List.of("field", "$");

  private static final DocValuesOfField<?>[] NONE = {};
  private static final Object[] NOTHING = {};

  private final DocumentValues doc;

  // What the script asks for by names that stand in its text, by the numbers that its compiler gave
  // them: looked up once, not for each document.
  private @Nullable DocValuesOfField<?>[] columns = NONE;
  private @Nullable Object[] parameters = NOTHING;

  protected DocScript(Map<String, Object> params, DocumentValues doc) {
    super(params);
    this.doc = doc;
  }

  /// Goes to a document.
  public final void moveTo(int document) {
    doc.moveTo(document);
  }

  public final Map<?, ?> getDoc() {
    return doc;
  }

  protected final DocumentValues values() {
    return doc;
  }

  /// `doc['field']` where the name stands in the script.
  ///
  /// @param slot of that name in the script
  /// @throws IllegalArgumentException for a field that there is not
  protected final Object column(int slot, String name) {
    DocValuesOfField<?> known = slot < columns.length ? columns[slot] : null;
    return known == null ? open(slot, name) : doc.at(known);
  }

  private Object open(int slot, String name) {
    DocValuesOfField<?> found = doc.get(name);
    if (slot >= columns.length) {
      columns = Arrays.copyOf(columns, slot + 1);
    }
    columns[slot] = found;
    return found;
  }

  /// `params.name` in a script that only reads its parameters by names that stand in it, so that
  /// nothing changes them.
  ///
  /// @param slot of that name in the script
  protected final @Nullable Object parameter(int slot, String name) {
    Object known = slot < parameters.length ? parameters[slot] : null;
    return known == null ? give(slot, name) : known;
  }

  private @Nullable Object give(int slot, String name) {
    Object given = getParams().get(name);
    if (slot >= parameters.length) {
      parameters = Arrays.copyOf(parameters, slot + 1);
    }
    parameters[slot] = given;
    return given;
  }

  public final Field field(String name) {
    return doc.field(name);
  }

  /// `$('field', default)`.
  public final @Nullable Object dollar(String name, @Nullable Object otherwise) {
    return doc.field(name).get(otherwise);
  }
}
