package dev.holdfast.script;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Texts of JSON straight into the maps and lists that scripts hold, and straight out of them: the
/// same as [ScriptValues] makes of a tree, without the tree. Asks for no memory.
public final class ScriptJson {
  private ScriptJson() {}

  /// Reads one object.
  ///
  /// @throws Refusal 400 when it is none
  public static Map<String, Object> read(byte[] json, int offset, int length) {
    try (JsonParser in = Json.MAPPER.createParser(json, offset, length)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        in.skipChildren(); // what is malformed says so first
        throw new Refusal(ErrorType.PARSING, "expected a JSON object");
      }
      Map<String, Object> object = object(in);
      if (in.nextToken() != null) {
        throw new Refusal(ErrorType.X_CONTENT_PARSE, "there is more after the end of the object");
      }
      return object;
    } catch (JsonProcessingException e) {
      throw Json.malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("NullAway") // a map of JSON holds null where the JSON does
  private static Map<String, Object> object(JsonParser in) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      object.put(name, value(in, in.nextToken()));
    }
    return object;
  }

  private static @Nullable Object value(JsonParser in, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> object(in);
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        JsonToken next = in.nextToken();
        while (next != JsonToken.END_ARRAY) {
          list.add(value(in, next));
          next = in.nextToken();
        }
        yield list;
      }
      case VALUE_STRING -> in.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> in.getNumberValue();
      case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
      default -> null;
    };
  }

  /// Writes what a script left of an object.
  ///
  /// @param object known to be of bounded size
  /// @throws Refusal 400 for what is no JSON, or holds itself
  static byte[] write(Map<?, ?> object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      write(out, object, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator out, @Nullable Object value, int depth)
      throws IOException {
    ScriptValues.requireShallow(depth);
    switch (value) {
      case null -> out.writeNull();
      case String text -> out.writeString(text);
      case Boolean is -> out.writeBoolean(is);
      case Integer n -> out.writeNumber(n);
      case Long n -> out.writeNumber(n);
      case Double n -> out.writeNumber(n);
      case Map<?, ?> map when hasNames(map) -> {
        out.writeStartObject();
        for (Map.Entry<?, ?> member : map.entrySet()) {
          out.writeFieldName((String) member.getKey());
          write(out, member.getValue(), depth + 1);
        }
        out.writeEndObject();
      }
      case List<?> list -> {
        out.writeStartArray();
        for (Object inner : list) {
          write(out, inner, depth + 1);
        }
        out.writeEndArray();
      }
      default -> out.writeTree(ScriptValues.json(value, depth));
    }
  }

  /// Whether all keys are texts: of others, two may have one name.
  private static boolean hasNames(Map<?, ?> map) {
    for (Object key : map.keySet()) {
      if (!(key instanceof String)) {
        return false;
      }
    }
    return true;
  }
}
