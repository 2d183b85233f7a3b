package dev.holdfast.document.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.runtime.DocumentColumns;
import dev.holdfast.document.runtime.EmittedJson;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.Token;
import dev.holdfast.script.emit.DateFieldScript;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs the scripts of mapped fields on documents that are being indexed. A script that reads the
/// field of another is run after that one.
final class IndexedScripts {
  private final DocumentMapping mapping;
  private final Sinks sinks;
  private final BytesRows fieldNames;
  private final JsonScanner scanner = new JsonScanner();
  private final DocumentColumns columns;
  private final Map<String, EmittedJson> scripts = new TreeMap<>();

  /// What scripts made of the document, by field; null where one failed that may.
  private final Map<String, @Nullable ArrayNode> made = new TreeMap<>();

  private final Set<String> running = new HashSet<>();
  private Consumer<String> ignoring = path -> {};

  IndexedScripts(DocumentMapping mapping, Sinks sinks, BytesRows fieldNames) {
    this.mapping = mapping;
    this.sinks = sinks;
    this.fieldNames = fieldNames;
    this.columns = new DocumentColumns(mapping, this::sourceOf);
  }

  /// Adds what the scripts make of a document to its row.
  ///
  /// @param ignored hears of fields whose script failed, and may
  /// @throws Refusal `document_parsing_exception` when one fails that may not
  void run(int row, DocumentSource document, Consumer<String> ignored) {
    made.clear();
    running.clear();
    ignoring = ignored;
    columns.next(
        Arrays.copyOfRange(
            document.bytes(), document.offset(), document.offset() + document.length()));
    for (String path : mapping.scripts().keySet()) {
      ArrayNode values = values(path);
      if (values != null) {
        add(row, path, values);
      }
    }
  }

  private FieldType type(String path) {
    return Objects.requireNonNull(mapping.field(path)).type();
  }

  /// The values of a field as a document would have them; null for a field without a script.
  private byte @Nullable [] sourceOf(String path) {
    if (!mapping.scripts().containsKey(path)) {
      return null;
    }
    ObjectNode source = Json.object();
    ArrayNode values = values(path);
    if (values != null) {
      source.set(path, values);
    }
    return Json.bytes(source);
  }

  private @Nullable ArrayNode values(String path) {
    if (made.containsKey(path)) {
      return made.get(path);
    }
    ScriptedValues scripted = Objects.requireNonNull(mapping.scripts().get(path));
    ArrayNode values = null;
    try {
      if (!running.add(path)) {
        throw Refusal.badArgument("Loop in field resolution detected: " + path);
      }
      EmittedJson script = scripts.get(path);
      if (script == null) {
        script = new EmittedJson(path, type(path), scripted, columns);
        scripts.put(path, script);
      }
      values = script.values(columns.number());
    } catch (Refusal e) {
      if (!scripted.continuesOnError()) {
        throw new Refusal(
            ErrorType.DOCUMENT_PARSING, "Error executing script on field [" + path + "]", e);
      }
      ignoring.accept(path);
    }
    running.remove(path);
    made.put(path, values);
    return values;
  }

  private void add(int row, String path, ArrayNode values) {
    Sink sink = sinks.sink(path, type(path));
    ScriptedValues scripted = Objects.requireNonNull(mapping.scripts().get(path));
    if (DateFieldScript.class.equals(scripted.shape().base())) {
      Objects.requireNonNull(scripts.get(path)).dates(value -> sink.columns.addMade(row, value));
    } else {
      byte[] json = Json.bytes(values);
      scanner.open(json, 0, json.length);
      var _ = scanner.next();
      for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
        Token token = scanner.next();
        if (token == Token.OBJECT) {
          var _ = scanner.tree();
        }
        try {
          if (!sink.columns.add(row, scanner)) {
            ignoring.accept(path);
          }
        } catch (Refusal e) {
          throw new Refusal(
              ErrorType.DOCUMENT_PARSING, "Error executing script on field [" + path + "]", e);
        }
      }
    }
    if (sink.needsName && !values.isEmpty()) {
      fieldNames.add(row, sink.pathBytes, 0, sink.pathBytes.length);
    }
  }
}
