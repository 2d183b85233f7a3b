package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.ValueText;
import dev.holdfast.world.Refusal;
import java.util.Locale;

/// `convert`: a value, or each of a list, as one of another type.
public record ConvertProcessor(SourceField field, Type type) implements Processor {
  /// What values are made into.
  enum Type {
    INTEGER {
      @Override
      JsonNode of(String text) {
        return IntNode.valueOf(hasRadix(text) ? Integer.decode(text) : Integer.parseInt(text));
      }
    },
    LONG {
      @Override
      JsonNode of(String text) {
        return LongNode.valueOf(hasRadix(text) ? Long.decode(text) : Long.parseLong(text));
      }
    },
    DOUBLE {
      @Override
      JsonNode of(String text) {
        return DoubleNode.valueOf(Double.parseDouble(text));
      }
    },
    FLOAT {
      @Override
      JsonNode of(String text) {
        return FloatNode.valueOf(Float.parseFloat(text));
      }
    },
    BOOLEAN {
      @Override
      JsonNode of(String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
          return BooleanNode.valueOf(text.equalsIgnoreCase("true"));
        }
        throw Refusal.badArgument(
            "[" + text + "] is not a boolean value, cannot convert to boolean");
      }
    },
    IP {
      @Override
      JsonNode of(String text) {
        if (!text.matches("[0-9a-fA-F:.]+") || !isAddress(text)) {
          throw Refusal.badArgument("'" + text + "' is not an IP string literal.");
        }
        return TextNode.valueOf(text);
      }
    },
    STRING {
      @Override
      JsonNode of(String text) {
        return TextNode.valueOf(text);
      }
    },
    AUTO {
      @Override
      JsonNode of(String text) {
        for (Type type : new Type[] {BOOLEAN, INTEGER, LONG, FLOAT, DOUBLE}) {
          try {
            return type.of(text);
          } catch (NumberFormatException | Refusal _) {
            // not of that type: the next one is tried
          }
        }
        return TextNode.valueOf(text);
      }
    };

    /// @throws NumberFormatException when the text is no number
    abstract JsonNode of(String text);

    JsonNode converted(JsonNode value) {
      if (this == AUTO && !value.isTextual()) {
        return value;
      }
      String text = ValueText.of(value);
      try {
        return of(text);
      } catch (NumberFormatException e) {
        throw new Refusal(
            dev.holdfast.world.ErrorType.ILLEGAL_ARGUMENT,
            "unable to convert [" + text + "] to " + name().toLowerCase(Locale.ROOT),
            new Refusal(
                dev.holdfast.world.ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
      }
    }

    private static boolean hasRadix(String text) {
      return text.startsWith("0x") || text.startsWith("-0x") || text.startsWith("0X");
    }

    private static boolean isAddress(String text) {
      try {
        return java.net.InetAddress.ofLiteral(text) != null;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String name = config.requiredString("type");
    for (Type type : Type.values()) {
      if (type.name().equalsIgnoreCase(name)) {
        return new ConvertProcessor(SourceField.of(config), type);
      }
    }
    throw config.wrong("type", "type [" + name + "] not supported, cannot convert field.");
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value =
        field.isMissingIgnored()
            ? document.find(field.from().path(document))
            : document.require(field.from().path(document));
    if (value == null || value.isNull()) {
      if (field.isMissingIgnored()) {
        return;
      }
      throw Refusal.badArgument(
          "Field ["
              + field.from().fill(document)
              + "] is null, cannot be converted to type ["
              + type.name().toLowerCase(Locale.ROOT)
              + "]");
    }
    if (value instanceof ArrayNode list) {
      ArrayNode converted = JsonNodeFactory.instance.arrayNode();
      list.forEach(element -> converted.add(type.converted(element)));
      field.write(document, converted);
    } else {
      field.write(document, type.converted(value));
    }
  }
}
