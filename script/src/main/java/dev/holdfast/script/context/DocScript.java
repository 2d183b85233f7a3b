package dev.holdfast.script.context;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.Field;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A script that runs on documents of a segment, one after the other.
public abstract class DocScript extends Script {
  /// Variables and functions that all such scripts have.
  protected static final List<String> VARIABLES = List.of("params", "doc");

  protected static final List<String> FUNCTIONS = List.of("field", "$");

  private final DocumentValues doc;

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

  public final Field field(String name) {
    return doc.field(name);
  }

  /// `$('field', default)`.
  public final @Nullable Object dollar(String name, @Nullable Object otherwise) {
    return doc.field(name).get(otherwise);
  }
}
