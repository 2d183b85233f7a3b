package dev.holdfast.document.batch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.MalformedJson;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;

/// What is wrong with a document, in Elasticsearch's words, with the place where it is.
public final class DocumentFaults {
  /// Larger values are not shown: their preview would be a copy.
  private static final long PREVIEWED_MAX_BYTES = 1 << 20;

  private final JsonScanner scanner;
  private String id = "";

  DocumentFaults(JsonScanner scanner) {
    this.scanner = scanner;
  }

  /// Which document the following faults are of.
  void document(String id) {
    this.id = id;
  }

  private String place(int position) {
    return "[" + scanner.lineOf(position) + ":" + scanner.columnOf(position) + "] ";
  }

  private Refusal fault(String reason) {
    return new Refusal(ErrorType.DOCUMENT_PARSING, place(scanner.valueStart()) + reason);
  }

  Refusal badValue(Sink sink, Refusal cause) {
    return new Refusal(
        ErrorType.DOCUMENT_PARSING,
        place(scanner.valueStart())
            + "failed to parse field ["
            + sink.path
            + "] of type ["
            + sink.type.typeName()
            + "] in document with id '"
            + id
            + "'. Preview of field's value: '"
            + preview()
            + "'",
        cause);
  }

  private String preview() {
    return switch (scanner.kind()) {
      case OBJECT, ARRAY -> {
        JsonNode tree = scanner.tree();
        yield JsonMemory.of(tree) > PREVIEWED_MAX_BYTES
            ? tree.isObject() ? "{…}" : "[…]"
            : String.valueOf(Json.MAPPER.convertValue(tree, Object.class));
      }
      default -> scanner.text();
    };
  }

  Refusal notAnObject() {
    return fault("failed to parse: expected an object at the top of the document");
  }

  Refusal notAnObject(String path) {
    return fault(
        "object mapping for ["
            + path
            + "] tried to parse field ["
            + path.substring(path.lastIndexOf('.') + 1)
            + "] as object, but found a concrete value");
  }

  Refusal badName(String reason) {
    return new Refusal(ErrorType.DOCUMENT_PARSING, place(scanner.position()) + reason);
  }

  Refusal strict(String name, String parent, int position) {
    return new Refusal(
        ErrorType.STRICT_DYNAMIC_MAPPING,
        place(position)
            + "mapping set to strict, dynamic introduction of ["
            + name
            + "] within ["
            + (parent.isEmpty() ? "_doc" : parent)
            + "] is not allowed");
  }

  public static Refusal malformed(MalformedJson e) {
    String place = "[" + e.line() + ":" + e.column() + "] ";
    Refusal cause = new Refusal(ErrorType.X_CONTENT_PARSE, place + e.getMessage());
    return new Refusal(
        ErrorType.DOCUMENT_PARSING, place + "failed to parse: " + e.getMessage(), cause);
  }
}
