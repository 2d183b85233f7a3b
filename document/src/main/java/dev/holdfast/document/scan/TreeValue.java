package dev.holdfast.document.scan;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/// A value within a tree as one that the scanner sees, for members of objects that are read whole.
public record TreeValue(JsonNode tree) implements JsonValue {
  @Override
  public Kind kind() {
    return switch (tree.getNodeType()) {
      case STRING -> Kind.STRING;
      case NUMBER -> Kind.NUMBER;
      case BOOLEAN -> tree.booleanValue() ? Kind.TRUE : Kind.FALSE;
      case ARRAY -> Kind.ARRAY;
      default -> Kind.OBJECT;
    };
  }

  @Override
  public byte[] bytes() {
    return tree.asText().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public int length() {
    return bytes().length;
  }

  @Override
  public boolean isAscii() {
    return length() == tree.asText().length();
  }

  @Override
  public boolean isLong() {
    return tree.isIntegralNumber() && tree.canConvertToLong();
  }

  @Override
  public long longValue() {
    return tree.longValue();
  }

  @Override
  public double doubleValue() {
    return tree.doubleValue();
  }

  @Override
  public String text() {
    return tree.asText();
  }
}
