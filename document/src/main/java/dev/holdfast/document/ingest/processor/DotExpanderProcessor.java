package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `dot_expander`: makes objects of names with dots in them.
///
/// @param path the object that holds the fields; null for the document
record DotExpanderProcessor(String field, @Nullable String path, boolean overrides)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    if (!field.equals("*")) {
      if (!field.contains(".")) {
        throw config.wrong("field", "field does not contain a dot and is not a wildcard");
      }
      if (field.startsWith(".") || field.endsWith(".")) {
        throw config.wrong("field", "Field can't start or end with a dot");
      }
      if (field.contains("..")) {
        throw config.wrong("field", "No space between dots");
      }
    }
    return new DotExpanderProcessor(field, config.string("path"), config.flag("override", false));
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode holder = path == null ? document.source() : document.require(FieldPath.of(path));
    if (!(holder instanceof ObjectNode object)) {
      throw Refusal.badArgument("cannot expand the fields of [" + path + "]: it is no object");
    }
    if (!field.equals("*")) {
      expand(document, object, field);
      return;
    }
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      if (name.contains(".")
          && !name.startsWith(".")
          && !name.endsWith(".")
          && !name.contains("..")) {
        expand(document, object, name);
      }
    }
  }

  private void expand(IngestDocument document, ObjectNode holder, String name) {
    JsonNode value = holder.remove(name);
    if (value == null) {
      return;
    }
    FieldPath to = FieldPath.of(path == null ? name : path + "." + name);
    if (document.find(to) == null || overrides) {
      try {
        document.set(to, value);
      } catch (Refusal e) {
        holder.set(name, value);
        throw Refusal.badArgument(
            "cannot expand ["
                + to.text()
                + "], because ["
                + firstValue(document, to.text())
                + "] is not an object field, but a value field");
      }
    } else {
      document.append(to, value, true);
    }
  }

  /// The shortest path above that one under which there is no object.
  private static String firstValue(IngestDocument document, String path) {
    int dot = path.indexOf('.');
    int last = path.lastIndexOf('.');
    while (dot < last
        && document.find(FieldPath.of(path.substring(0, dot))) instanceof ObjectNode) {
      dot = path.indexOf('.', dot + 1);
    }
    return path.substring(0, dot);
  }
}
